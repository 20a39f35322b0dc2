import { floors } from './floors.js';
import { canPin } from './processes.js';
import { measurePeer } from './measure-peer.js';
import { startTarget } from './target.js';

const connections = 50;

/**
 * Measures the peers side by side and prints a table for each work. Peers take turns within a round, so that
 * what changes on the machine meanwhile meets all of them; ratios are of runs of the same round.
 */
export async function compare({ works, peers, rounds, seconds }) {
  const missing = peers.map((peer) => [peer.name, peer.missing?.()]).filter(([, why]) => why);
  const present = peers.filter((peer) => !missing.some(([name]) => name === peer.name));
  const target = await startTarget();
  say(`target: ${target.name}, ${target.url}`);
  say(canPin ? 'pinned: clients on CPU 0, target on CPU 1' : 'not pinned (no taskset, or one CPU): the numbers are rough');
  say(`rounds: ${rounds}, of about ${seconds} s a run, ${connections} connections`);
  for (const [name, why] of missing) say(`missing: ${name} (${why})`);
  try {
    for (const work of works) {
      const able = present.filter((peer) => peer.works.includes(work));
      const runs = await measureRounds(able, { work, rounds, seconds, connections, url: target.url });
      print(work, able, runs);
    }
  } finally {
    await target.close();
  }
}

/** Map of peer name to its runs, one a round; undefined where the run failed. */
async function measureRounds(peers, { rounds, ...how }) {
  const runs = new Map(peers.map((peer) => [peer.name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const peer of peers) {
      const before = `${how.work} ${round}/${rounds} ${peer.name}`;
      try {
        const run = await measurePeer(peer, how);
        runs.get(peer.name).push(run);
        process.stderr.write(`${before}: ${whole(run.rate)}/s${run.errors ? `, ${run.errors} ERRORS` : ''}\n`);
      } catch (err) {
        runs.get(peer.name).push(undefined);
        process.stderr.write(`${before}: failed: ${err.message}\n`);
      }
    }
  }
  return runs;
}

function print(work, peers, runs) {
  const ours = runs.get('ours') ?? [];
  const rows = peers.map(({ name }) => {
    const its = runs.get(name);
    const ratio = median(its.map((run, round) => run && ours[round] && ours[round].rate / run.rate));
    return [
      name,
      whole(median(its.map((run) => run?.rate))),
      name === 'ours' ? '' : fixed(ratio, 2),
      fixed(median(its.map((run) => run?.cpuUs)), 1),
      [verdict(work, name, ratio), troubles(its)].filter(Boolean).join('; ')
    ];
  });
  const head = ['peer', 'requests/s', 'ours/peer', 'CPU us/request', 'floor'];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const pad = (text, i) => (i > 0 && i < 4 ? text.padStart(widths[i]) : text.padEnd(widths[i]));
  say(`\n${work}`);
  for (const row of [head, ...rows]) say(`  ${row.map(pad).join('  ')}`.trimEnd());
}

function verdict(work, peer, ratio) {
  const floor = floors.find((row) => row.work === work && row.peer === peer);
  if (!floor) return '';
  const judged = ratio === undefined ? 'not measured' : ratio >= floor.atLeast ? 'reached' : 'missed';
  return `>= ${floor.atLeast} ${judged}`;
}

function troubles(runs) {
  const failed = runs.filter((run) => !run).length;
  const errors = runs.reduce((sum, run) => sum + (run?.errors ?? 0), 0);
  return [failed && `${failed} failed`, errors && `${errors} errors`].filter(Boolean).join(', ');
}

/** Median of what was measured; undefined when nothing was. */
function median(values) {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : sorted.length ? (sorted[middle - 1] + sorted[middle]) / 2 : undefined;
}

function whole(value) {
  return value === undefined ? '-' : Math.round(value).toLocaleString('en');
}

function fixed(value, digits) {
  return value === undefined ? '-' : value.toFixed(digits);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
