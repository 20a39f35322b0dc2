import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { agents } from './agents.js';
import { alarms, goals } from './alarms.js';
import { arrivals } from './arrivals.js';
import { calls } from './calls.js';
import { checkoutWorks, checkouts } from './checkouts.js';
import { compare } from './compare.js';
import { connectionFigures } from './connections.js';
import { coordinator } from './coordinator.js';
import { faults } from './faults.js';
import { writeFigures } from './figures.js';
import { goalTable } from './goal.js';
import { grpc } from './grpc.js';
import { history } from './history.js';
import { install } from './install.js';
import { endAllOnSignals, endAll } from './processes.js';
import { memory } from './memory.js';
import { percentiles } from './percentiles.js';

import { soak } from './soak.js';
import { spacing } from './spacing.js';
import { startup, startupWithGoals } from './startup.js';
import { streams } from './streams.js';
import { peers } from './peers/index.js';
import { SERVICE_NAMES } from './trust.js';
import { TABLES, verdict } from './verdict.js';
import { walk } from './walk.js';
import { http2Works, works } from './works.js';

/** parts of the comparison with all peers, by name: the works, each with its peers besides ours */
const parts = {
  /** those that have a goal beside one peer, and the start */
  goals: { works: works.filter(({ beside }) => beside), besideOf: ({ beside }) => [beside] },
  /** the same work with more and more connections */
  connections: { works: works.filter(({ manyBeside }) => manyBeside), besideOf: ({ manyBeside }) => manyBeside },
  /** over HTTP/2 */
  h2: { works: http2Works, besideOf: () => ['h2load'] },
};
const others = {
  agents,
  alarms: goals,
  arrivals,
  calls,
  checkouts,
  compare: alarms,
  coordinator,
  faults,
  grpc,
  history,
  memory,
  percentiles,
  soak,
  spacing,
  startup: startupWithGoals,
  streams,
  verdict,
  walk,
};

/** Benchmarks to which other names belong, such as works or tables. */
const TAKES_NAMES = ['checkouts', 'verdict'];

await main();

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      agents: { type: 'string' },
      beside: { type: 'string' },
      json: { type: 'string' },
    },
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
    const names = positionals.filter((name) => !(name in others));
    for (const name of asked) await others[name]({ ...settingsOf(values), names });
    if (asked.length && (names.length === 0 || asked.some((name) => TAKES_NAMES.includes(name)))) return;

    if (!existsSync(new URL('node_modules', import.meta.url))) await install();
    const part = Object.keys(parts).find((name) => positionals.includes(name));
    const compared = await compare({
      ...(part ? parts[part] : { works: chosen(positionals) }),
      peers: chosenPeers(positionals),
      ...settingsOf(values),
    });
    if (part === 'connections') await connectionFigures(settingsOf(values));
    if (values.json) writeFigures(values.json, compared);
    if (part === 'goals') process.stdout.write(goalTable([...compared.goals, ...(await startup())]));
    if (part === 'h2') process.stdout.write(goalTable(compared.goals));
  } catch (err) {
    process.stderr.write(`bench: ${err.message}\n`);
    process.exitCode = 1;
  } finally {
    await endAll();
  }
}

/** The given ones; each benchmark has its own defaults. */
function settingsOf({ rounds, seconds, beside, agents: counts }) {
  return {
    ...(beside && { beside }),
    ...(rounds && { rounds: Number(rounds) }),
    ...(seconds && { seconds: Number(seconds) }),
    ...(counts && { agents: counts.split(',').map(Number) }),
  };
}

function problemIn(names, { rounds = '1', seconds = '1', agents: counts = '1', beside }) {
  const known = [
    ...[...works, ...http2Works, ...checkoutWorks].map((work) => work.name),
    ...peers.map((peer) => peer.name),
    ...Object.keys({ ...others, ...parts }),
    ...(names.includes('verdict') ? [...Object.keys(TABLES), ...SERVICE_NAMES] : []),
  ];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length) return `bench: unknown ${unknown.join(', ')}; use any of ${known.join(', ')}`;
  if (names.includes('checkouts') !== Boolean(beside))
    return 'bench: checkouts needs --beside and the folder of another checkout, and no other benchmark takes it';
  if (!(Number.isInteger(Number(rounds)) && rounds > 0)) return `--rounds: '${rounds}' is not a count, use 1 or more`;
  if (!(seconds > 0)) return `--seconds: '${seconds}' is not a duration, use more than 0`;
  if (!counts.split(',').every((count) => Number.isInteger(Number(count)) && count > 0))
    return `--agents: '${counts}' has no counts, use 1 or more, such as 10,1000`;
}

function chosen(names) {
  const some = [...works, ...http2Works].filter(({ name }) => names.includes(name));
  return some.length ? some : works;
}

/** Ratios are relative to ours, so ours is always included. */
function chosenPeers(names) {
  const some = peers.filter((peer) => names.includes(peer.name));
  return some.length ? peers.filter((peer) => peer.name === 'ours' || some.includes(peer)) : peers;
}
