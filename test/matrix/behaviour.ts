import { expect } from "vitest";
import type { ModernRequest } from "../support/modern.ts";
import type { FixtureOptions, Peer, Reply, SendOptions, TransportName } from "../support/peer.ts";
import type { ServerMessage, ServerResult } from "../support/wire.ts";

/** Something that every server does, on whatever transport it is reached. */
export interface Behaviour {
  /** A sentence, with the ids of the contract at its end. */
  readonly name: string;
  /** Options of the fixture. */
  readonly options?: FixtureOptions;
  /** Transports on which this cannot happen, and why. */
  readonly not?: Partial<Readonly<Record<TransportName, string>>>;
  run(peer: Peer): Promise<void>;
}

/** Why a behaviour has cells over HTTP only. */
export const noHeaders = {
  stdio: "there are no headers on stdio",
  "in process": "there are no headers in process",
} as const;

/** Why a behaviour has no cell in process: there nothing but our own client talks to the server. */
export const notByClient = {
  "in process": "the client composes every message, its id and its metadata",
} as const;

/** Why a behaviour has cells on stdio only. */
export const onlyStdio = {
  ...notByClient,
  "node http": "over HTTP a request is cancelled by closing its connection",
  fetch: "over HTTP a request is cancelled by closing its connection",
} as const;

/** The result of a request that must succeed. */
export async function resultOf(
  peer: Peer,
  message: ModernRequest,
  options?: SendOptions,
): Promise<ServerResult> {
  const { message: response, status } = await peer.send(message, options);
  expect(response).toMatchObject({ id: message.id, result: { resultType: "complete" } });
  expect(status ?? 200).toBe(200);
  return (response as Required<ServerMessage>).result;
}

/** The first text block of a tool's result. */
export async function textOf(peer: Peer, message: ModernRequest): Promise<string | undefined> {
  return (await resultOf(peer, message)).content?.[0]?.text;
}

/** What a refusal must look like; `id` is absent where it could not be read. */
export interface Refusal {
  readonly id?: string | number;
  readonly code: number;
  /** Over HTTP. */
  readonly status: number;
}

/** Asserts a refusal and gives the error. */
export function expectRefusal(
  { message, status }: Reply,
  refusal: Refusal,
): NonNullable<ServerMessage["error"]> {
  expect({
    ...(message !== undefined && "id" in message ? { id: message.id } : {}),
    code: message?.error?.code,
    status: status ?? refusal.status,
  }).toEqual(refusal);
  return (message as Required<ServerMessage>).error;
}
