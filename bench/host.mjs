// The process of one contender: node host.mjs CONTENDER ROLE ...
const [name, role, ...rest] = process.argv.slice(2);
const contender = await import(`./contenders/${name}.mjs`);

const roles = {
  async http(tools, port) {
    await contender.http(Number(tools), Number(port));
    answerInspector();
    process.send("listening");
  },
  async stdio(tools) {
    await contender.stdio(Number(tools));
    if (process.connected) answerInspector();
  },
  inProcess: async () => answerLoops(await contender.inProcess()),
  client: async (url, inFlight) => answerLoops(await contender.client(url, Number(inFlight))),
  async import() {
    if (contender.entry !== undefined) await import(contender.entry);
    process.stdin.resume();
    console.log("{}");
  },
};

function answerInspector() {
  onMessage(async (command) => {
    const { inspect } = await import("./lib/inspect.mjs");
    return inspect(command);
  });
}

async function answerLoops(call) {
  const { runLoop } = await import("./lib/loop.mjs");
  onMessage((load) => runLoop(call, load));
  process.send({ result: await call() });
}

function onMessage(answer) {
  const reply = async (message) => process.send(await answer(message));
  process.on("message", (message) => void reply(message));
  process.on("disconnect", () => process.exit());
}

await roles[role](...rest);
