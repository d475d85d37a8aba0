import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();

/** Carries out one command of the inspector protocol on this process and returns its result. */
export function inspect({ method, params }) {
  return session.post(method, params);
}
