// The load generator: HTTP/1.1 on bare sockets, one request at a time on each connection.
import { once } from "node:events";
import { connect } from "node:net";
import { toSample } from "./loop.mjs";
import { Histogram } from "./statistics.mjs";

const headEnd = Buffer.from("\r\n\r\n");

/** The bytes of one POST. */
export function encodeRequest(url, head, body) {
  const { host, pathname } = new URL(url);
  const all = { Host: host, ...head, "Content-Length": Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/** Opens `count` connections. */
export async function openConnections(url, request, count) {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return new Connections(sockets, request);
}

class Connections {
  #sockets;
  #request;
  #reject = () => {};

  constructor(sockets, request) {
    this.#sockets = sockets;
    this.#request = request;
    const broken = (error) => this.#reject(error ?? new Error("the server closed a connection"));
    for (const socket of sockets) socket.on("error", broken).on("end", broken);
  }

  /** Keeps one request on each connection until `seconds` have passed or `count` are answered. */
  run({ seconds, count: most = Infinity }) {
    const durations = new Histogram();
    const begin = performance.now();
    const end = begin + seconds * 1000;
    let count = 0;
    let open = this.#sockets.length;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      for (const socket of this.#sockets) {
        const reader = new AnswerReader();
        let sentAt = begin;
        socket.removeAllListeners("data").on("data", (chunk) => {
          if (!reader.isComplete(chunk)) return;
          if (reader.status !== 200) reject(new Error(`answered with status ${reader.status}`));
          const now = performance.now();
          durations.add(now - sentAt);
          count++;
          if (now < end && count < most) {
            sentAt = now;
            socket.write(this.#request);
          } else if (--open === 0) resolve(toSample(count, (now - begin) / 1000, durations));
        });
        socket.write(this.#request);
      }
    });
  }

  close() {
    this.#reject = () => {};
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Finds the end of one answer after the other, with a length or in chunks. */
class AnswerReader {
  status = 0;
  #rest = Buffer.alloc(0);
  #left = 0; // bytes of the body or of the chunk that are still to come
  #isChunked = false;
  #isInBody = false;

  /** Takes the next bytes and says whether they end an answer. */
  isComplete(bytes) {
    const chunk = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = Buffer.alloc(0);
    const at = this.#isInBody ? 0 : this.#readHead(chunk);
    if (at === -1) return false;
    const isEnd = this.#isChunked ? this.#skipChunks(chunk, at) : this.#skipBody(chunk.length - at);
    this.#isInBody = !isEnd;
    return isEnd;
  }

  #readHead(chunk) {
    const end = chunk.indexOf(headEnd);
    if (end === -1) {
      this.#rest = chunk;
      return -1;
    }
    const head = chunk.latin1Slice(0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    this.status = Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
    this.#isChunked = length === null;
    this.#left = length === null ? 0 : Number(length[1]);
    return end + headEnd.length;
  }

  #skipBody(count) {
    this.#left -= count;
    return this.#left <= 0;
  }

  #skipChunks(bytes, from) {
    let at = from + this.#left;
    while (at < bytes.length) {
      const end = bytes.indexOf("\r\n", at);
      if (end === -1) break;
      const size = Number.parseInt(bytes.latin1Slice(at, end), 16);
      if (size === 0 && bytes.length < end + 4) break;
      if (size === 0) return true;
      at = end + 2 + size + 2;
    }
    this.#rest = bytes.subarray(Math.min(at, bytes.length));
    this.#left = Math.max(0, at - bytes.length);
    return false;
  }
}
