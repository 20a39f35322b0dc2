import { escaped, sentence, table } from './text.js';

/** Tools that are named otherwise in the benchmarks. */
const NAMES = { ours: 'bench-rest', 'bench-rest-1': 'bench-rest', 'node-net': '`node:net` alone' };

/**
 * The figures that `npm run bench -- --json docs/numbers.json` wrote, with machine, date and command.
 *
 * @type {(figures: any) => string}
 */
export function peersTable({ date, command, target, rounds, seconds, machine, works }) {
  const { cpu, cores, memoryGb, system, node, load } = machine;
  const busy =
    load > cores + 1
      ? ` Other work ran on this machine (load average up to ${load}), so the rates are lower than on an idle one; the ratios are of runs that alternate.`
      : ` Load average up to ${load}.`;
  const about = `${date}, \`${command}\`: ${rounds} rounds of ${seconds} s against ${target}, on ${cpu.trim()}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}.${busy}`;
  const tables = works.map(({ about: what, connections, peers }) => {
    const rows = peers.filter(({ rate }) => rate !== undefined).map(rowOf);
    return `### ${sentence(what)}, ${connections.toLocaleString('en')} connections\n\n${table(['tool', 'requests/s', 'CPU us', 'rate of bench-rest', 'CPU of bench-rest'], rows)}`;
  });
  return `${about}\n\n${tables.join('\n')}`;
}

function rowOf({ name, version, does, rate, cpuUs, rateRatio, cpuRatio }) {
  const shown = name === 'ours' ? version?.replace(/^(\d+\.\d+).*/, '$1') : version;
  const tool = `${NAMES[name] ?? name}${shown ? ` ${shown}` : ''}${does ? ` (${does})` : ''}`;
  return [escaped(tool), rate.toLocaleString('en'), cpuUs.toFixed(1), timesOf(rateRatio), timesOf(cpuRatio)];
}

function timesOf(ratio) {
  return ratio === undefined ? '' : `${ratio.toFixed(2)} times`;
}
