import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compare } from './compare.js';
import { faults } from './faults.js';
import { goalTable } from './goal.js';
import { install } from './install.js';
import { endAllOnSignals, endAll } from './processes.js';
import { percentiles } from './percentiles.js';
import { rate } from './rate.js';
import { soak } from './soak.js';
import { startup } from './startup.js';
import { peers } from './peers/index.js';
import { works } from './works.js';

/** the works that have a goal beside one peer, and the start */
const GOALS = 'goals';
const others = { faults, percentiles, rate, soak, startup };

await main();

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '4' } },
  });
  const problem = problemIn(positionals, values);
  if (problem) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 2;
    return;
  }

  endAllOnSignals();
  try {
    const asked = positionals.filter((name) => name in others);
    for (const name of asked) await others[name]();
    if (asked.length && asked.length === positionals.length) return;

    if (!existsSync(new URL('node_modules', import.meta.url))) await install();
    const isShort = positionals.includes(GOALS);
    const compared = await compare({
      works: isShort ? works.filter(({ beside }) => beside) : chosen(works, positionals),
      peers: chosenPeers(positionals),
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      isShort,
    });
    if (isShort) process.stdout.write(goalTable([...compared, ...(await startup())]));
  } catch (err) {
    process.stderr.write(`bench: ${err.message}\n`);
    process.exitCode = 1;
  } finally {
    await endAll();
  }
}

function problemIn(names, { rounds, seconds }) {
  const known = [...works.map((work) => work.name), ...peers.map((peer) => peer.name), ...Object.keys(others), GOALS];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length) return `bench: unknown ${unknown.join(', ')}; use any of ${known.join(', ')}`;
  if (!(Number.isInteger(Number(rounds)) && rounds > 0)) return `--rounds: '${rounds}' is not a count, use 1 or more`;
  if (!(seconds > 0)) return `--seconds: '${seconds}' is not a duration, use more than 0`;
}

function chosen(all, names) {
  const some = all.filter(({ name }) => names.includes(name));
  return some.length ? some : all;
}

/** Ratios are relative to ours, so ours is always included. */
function chosenPeers(names) {
  const some = peers.filter((peer) => names.includes(peer.name));
  return some.length ? peers.filter((peer) => peer.name === 'ours' || some.includes(peer)) : peers;
}
