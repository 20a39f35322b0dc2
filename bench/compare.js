import { loadNow } from './figures.js';
import { verdictOf } from './goal.js';
import { measurePeer } from './measure-peer.js';
import { median } from './median.js';
import { canPin } from './processes.js';
import { startEcho, startTarget } from './target.js';

/**
 * @typedef {{ target: string, rounds: number, seconds: number, load: number, works: object[] }} Compared works: the
 *   figures of each workload
 */

/**
 * Measures the peers side by side and prints a table for each workload. Peers take turns within a round, so that
 * disturbances of the machine affect all of them; ratios are of runs of the same round. besideOf: the only peers of a
 * workload besides ours; default: all that do its work.
 *
 * @returns {Promise<Compared & { goals: import('./goal.js').Goal[] }>}
 */
export async function compare({ works, peers, rounds = 5, seconds = 4, besideOf }) {
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
  const figures = [];
  let load = 0;
  try {
    for (const work of works) {
      const able = present.filter(
        (peer) => isAble(peer, work) && (!besideOf || ['ours', ...besideOf(work)].includes(peer.name)),
      );
      const { url: http, tls, h2c, h2, body } = target;
      const url = { echo: echo?.url, http, tls, h2c, h2 }[work.target ?? 'http'];
      if (url === undefined || (work.path && !target.tls)) say(`\n${work.name}: not measured, it needs nginx`);
      else figures.push(print(work, able, await measureRounds(able, { work, rounds, seconds, url, body })));
      load = Math.max(load, loadNow());
    }
    const goals = figures.flatMap((one) => one.goals);
    return { goals, target: target.name, rounds, seconds, load, works: figures.map((one) => one.figures) };
  } finally {
    await Promise.all([target.close(), echo?.close()]);
  }
}

/** @type {(peer: { name: string, works: string[], isHttp2?: boolean }, work: object) => boolean} */
function isAble({ name, works, isHttp2 }, work) {
  if (name === 'ours') return true;
  const isAsked = work.only ? work.only.includes(name) : !name.startsWith('ours-') && !isHttp2;
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
        const { connections, streams, path = '/' } = work;
        const run = await measurePeer(peer, {
          ...how,
          path,
          work: done(work, peer.name),
          name: work.name,
          connections,
          streams,
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
  const compared = peers.map(({ name }) => {
    const its = runs.get(name);
    const rate = median(its.map((run, round) => run && ours[round] && ours[round].rate / run.rate));
    const cpu = median(its.map((run, round) => run && ours[round] && ours[round].cpuUs / run.cpuUs));
    return { name, its, rate, cpu, goals: goalsOf(work, name, { rate, cpu }) };
  });
  const rows = compared.map(({ name, its, rate, cpu, goals }) => [
    shown(work, name),
    whole(median(its.map((run) => run?.rate))),
    name === 'ours' ? '' : fixed(rate, 2),
    fixed(median(its.map((run) => run?.cpuUs)), 1),
    name === 'ours' ? '' : fixed(cpu, 2),
    [...goals.map(({ unit, ...goal }) => `${unit}${verdictOf(goal)}`), troubles(its)].filter(Boolean).join('; '),
  ]);
  const head = ['peer', 'requests/s', 'ours/peer', 'CPU us/request', 'ours/peer', 'wanted'];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const pad = (text, i) => (i > 0 && i < 5 ? text.padStart(widths[i]) : text.padEnd(widths[i]));
  const each = work.streams ? `, ${work.streams} streams on each` : '';
  say(`\n${work.name}, ${work.connections} connections${each}`);
  for (const row of [head, ...rows]) say(`  ${row.map(pad).join('  ')}`.trimEnd());
  return { goals: compared.flatMap(({ goals }) => goals), figures: figuresOf(work, compared) };
}

/** Medians of the rounds; ratios are ours/peer. */
function figuresOf(work, compared) {
  const rounded = (value, digits) => (value === undefined ? undefined : Number(value.toFixed(digits)));
  const peers = compared.map(({ name, its, rate, cpu }) => ({
    name,
    does: name !== 'ours' ? work.others : undefined,
    rate: rounded(median(its.map((run) => run?.rate)), 0),
    cpuUs: rounded(median(its.map((run) => run?.cpuUs)), 2),
    rateRatio: name === 'ours' ? undefined : rounded(rate, 3),
    cpuRatio: name === 'ours' ? undefined : rounded(cpu, 3),
    failedRuns: its.filter((run) => !run).length,
    errors: its.reduce((sum, run) => sum + (run?.errors ?? 0), 0),
  }));
  return { name: work.name, about: work.about ?? work.name, connections: work.connections, peers };
}

/** The name of a peer, with its workload if that is another one than ours. */
function shown(work, name) {
  return name !== 'ours' && work.others ? `${name} (${work.others})` : name;
}

function goalsOf(work, name, { rate, cpu }) {
  const beside = `${work.name}: %s beside ${shown(work, name)}`;
  return [
    { unit: '', what: beside.replace('%s', 'requests/s'), sign: '>=', bound: work.floors[name], value: rate },
    { unit: 'CPU ', what: beside.replace('%s', 'CPU per request'), sign: '<=', bound: work.cpu?.[name], value: cpu },
  ].filter(({ bound }) => bound !== undefined);
}

function troubles(runs) {
  const failed = runs.filter((run) => !run).length;
  const errors = runs.reduce((sum, run) => sum + (run?.errors ?? 0), 0);
  return [failed && `${failed} failed`, errors && `${errors} errors`].filter(Boolean).join(', ');
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
