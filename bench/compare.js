import { canPin } from './processes.js';
import { measurePeer } from './measure-peer.js';
import { startEcho, startTarget } from './target.js';

/**
 * Measures the peers side by side and prints a table for each workload. Peers take turns within a round, so that
 * disturbances of the machine affect all of them; ratios are of runs of the same round.
 */
export async function compare({ works, peers, rounds, seconds }) {
  const missing = peers.map((peer) => [peer.name, peer.missing?.()]).filter(([, why]) => why);
  const present = peers.filter((peer) => !missing.some(([name]) => name === peer.name));
  const target = await startTarget();
  const echo = works.some((work) => work.target === 'echo') ? await startEcho() : undefined;
  say(`target: ${target.name}, ${target.url}`);
  say(
    canPin ? 'pinned: clients on CPU 0, target on CPU 1' : 'not pinned (no taskset, or one CPU): the numbers are rough',
  );
  say(`rounds: ${rounds}, of about ${seconds} s per run`);
  for (const [name, why] of missing) say(`missing: ${name} (${why})`);
  try {
    for (const work of works) {
      const able = present.filter((peer) => isAble(peer, work));
      const url = { echo: echo?.url, tls: target.tls, http: target.url }[work.target ?? 'http'];
      if (url === undefined || (work.path && !target.tls)) say(`\n${work.name}: not measured, it needs nginx`);
      else print(work, able, await measureRounds(able, { work, rounds, seconds, url }));
    }
  } finally {
    await Promise.all([target.close(), echo?.close()]);
  }
}

/** @type {(peer: { name: string, works: string[] }, work: object) => boolean} */
function isAble({ name, works }, work) {
  if (name === 'ours') return true;
  const isAsked = work.only ? work.only.includes(name) : !name.startsWith('ours-');
  return isAsked && works.includes(done(work, name));
}

/** Options of a peer for this workload. */
function done(work, peer) {
  return (peer === 'ours' ? undefined : work.others) ?? work.does ?? work.name;
}

/** Runs by name of the peer, one per round; undefined if the run failed. */
async function measureRounds(peers, { work, rounds, ...how }) {
  const runs = new Map(peers.map((peer) => [peer.name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const peer of peers) {
      const before = `${work.name} ${round}/${rounds} ${peer.name}`;
      try {
        const { connections, path = '/' } = work;
        const run = await measurePeer(peer, {
          ...how,
          path,
          work: done(work, peer.name),
          name: work.name,
          connections,
        });
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
    const rate = median(its.map((run, round) => run && ours[round] && ours[round].rate / run.rate));
    const cpu = median(its.map((run, round) => run && ours[round] && ours[round].cpuUs / run.cpuUs));
    const isOther = name !== 'ours' && work.others ? `${name} (${work.others})` : name;
    return [
      isOther,
      whole(median(its.map((run) => run?.rate))),
      name === 'ours' ? '' : fixed(rate, 2),
      fixed(median(its.map((run) => run?.cpuUs)), 1),
      name === 'ours' ? '' : fixed(cpu, 2),
      [verdict('>=', rate, work.floors[name]), verdict('CPU <=', cpu, work.cpu?.[name]), troubles(its)]
        .filter(Boolean)
        .join('; '),
    ];
  });
  const head = ['peer', 'requests/s', 'ours/peer', 'CPU us/request', 'ours/peer', 'wanted'];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const pad = (text, i) => (i > 0 && i < 5 ? text.padStart(widths[i]) : text.padEnd(widths[i]));
  say(`\n${work.name}, ${work.connections} connections`);
  for (const row of [head, ...rows]) say(`  ${row.map(pad).join('  ')}`.trimEnd());
}

function verdict(sign, ratio, bound) {
  if (bound === undefined) return '';
  const isReached = sign === '>=' ? ratio >= bound : ratio <= bound;
  return `${sign} ${bound} ${ratio === undefined ? 'not measured' : isReached ? 'reached' : 'missed'}`;
}

function troubles(runs) {
  const failed = runs.filter((run) => !run).length;
  const errors = runs.reduce((sum, run) => sum + (run?.errors ?? 0), 0);
  return [failed && `${failed} failed`, errors && `${errors} errors`].filter(Boolean).join(', ');
}

/** Median of the measured values; undefined if there are none. */
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
