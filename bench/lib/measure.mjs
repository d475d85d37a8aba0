import { keepAwake, watchOthers } from "./machine.mjs";
import { kinds } from "./subjects.mjs";

// A server that idled while others were measured starts slow, so this much load is not counted.
const warmUp = { seconds: 4, count: 5000 };
const patienceMs = 120_000;

/**
 * Measures one cell: all contenders are up at once and take turns, in another order each round.
 * Returns the cell with `samples` by contender, the same round at the same index, and in `dropped` why
 * a contender has none.
 */
export async function measureCell(cell, contenders, { rounds, seconds, generator }) {
  const result = { ...cell, samples: {}, dropped: {} };
  const attempt = async (id, action) => {
    try {
      return await inTime(action());
    } catch (error) {
      result.dropped[id] = error.message;
      delete result.samples[id];
      return undefined;
    }
  };
  const { role, open } = kinds[cell.kind];
  const subjects = [];
  for (const contender of contenders.filter((each) => takesPart(each, cell, role))) {
    const { id } = contender;
    const subject = await attempt(id, () => open({ ...cell, generator }, contender));
    if (subject === undefined) continue;
    subjects.push({ id, ...subject });
    result.samples[id] = [];
  }
  const letSleep = cell.inFlight === 1 ? keepAwake() : () => {};
  for (const { id, sample } of turns(subjects, rounds * cell.rounds)) {
    if (id in result.dropped) continue;
    const others = watchOthers();
    const measured = await attempt(id, () => sample(warmUp, { seconds }));
    result.samples[id]?.push({ ...measured, others: others() });
  }
  letSleep();
  await Promise.all(subjects.map(({ close }) => close()));
  return result;
}

function takesPart(contender, { name }, role) {
  return role in contender && (contender.cells?.includes(name) ?? true);
}

/** A B C, B C A, C A B, … so that nobody is always the one after the slowest. */
function* turns(subjects, rounds) {
  for (let turn = 0; turn < rounds * subjects.length; turn++) {
    const round = Math.floor(turn / subjects.length);
    yield subjects[(turn + round) % subjects.length];
  }
}

async function inTime(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
