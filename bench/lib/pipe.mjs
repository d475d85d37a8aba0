import { Histogram } from "./statistics.mjs";
import { toSample } from "./loop.mjs";

const newline = 10;

/** The client's end of a stdio server. */
export function openPipe(child) {
  return new Pipe(child);
}

class Pipe {
  #input;
  #rest = Buffer.alloc(0);
  #onChunk = () => {};
  #reject = () => {};

  constructor(child) {
    this.#input = child.stdin;
    const onEnd = () => this.#reject(new Error("the process ended"));
    child.stdout.on("data", (chunk) => this.#onChunk(chunk));
    child.stdin.on("error", onEnd);
    child.on("exit", onEnd);
  }

  send(message) {
    this.#input.write(`${JSON.stringify(message)}\n`);
  }

  async request(message) {
    this.send(message);
    for (;;) {
      const answer = await this.nextMessage();
      if (answer.id === message.id) return answer;
    }
  }

  nextMessage() {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#onChunk = (chunk) => {
        this.#rest = Buffer.concat([this.#rest, chunk]);
        const end = this.#rest.indexOf(newline);
        if (end === -1) return;
        const line = this.#rest.toString("utf8", 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        resolve(JSON.parse(line));
      };
      this.#onChunk(Buffer.alloc(0));
    });
  }

  /**
   * Keeps `inFlight` copies of `message`, each with an id of its own, unanswered until `seconds` have
   * passed or `count` are answered, and returns the sample.
   */
  run(message, { seconds, count: most = Infinity, inFlight }) {
    const durations = new Histogram();
    const [head, tail] = JSON.stringify({ ...message, id: "%" }).split('"%"');
    const sentAt = new Float64Array(inFlight);
    const begin = performance.now();
    const end = begin + seconds * 1000;
    let [sent, count] = [0, 0];
    const send = (copies, now) => {
      let lines = "";
      for (let copy = 0; copy < copies; copy++) {
        sentAt[sent % inFlight] = now;
        lines += `${head}${++sent}${tail}\n`;
      }
      if (lines !== "") this.#input.write(lines);
    };
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#onChunk = (chunk) => {
        if (chunk.includes('"error":')) reject(new Error(`answered ${chunk.subarray(0, 200)}`));
        const now = performance.now();
        const answers = countLines(chunk);
        // Answers are taken to come in the order of the requests; that blurs single durations only.
        for (let line = 0; line < answers; line++) durations.add(now - sentAt[count++ % inFlight]);
        if (now < end && count < most) send(answers, now);
        else if (count === sent) resolve(toSample(count, (now - begin) / 1000, durations));
      };
      send(inFlight, begin);
    });
  }
}

function countLines(chunk) {
  let count = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) count++;
  return count;
}
