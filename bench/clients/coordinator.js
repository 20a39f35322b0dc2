// Leads simulated agents as the command does: argv has the queue and their number. Sends what it measured of itself.
import { Redis } from 'ioredis';

import { Coordinator } from '../../lib/addons/agents/coordinator.js';
import { KEYS, PREFIX } from '../../lib/addons/agents/protocol.js';
import { LiveView } from '../../lib/addons/agents/live-view.js';

const [queue, agents] = process.argv.slice(2);
const MARK_MS = 250;
/** The start is no part of what is measured. */
const SKIP_MS = 2000;

/** instants when Redis had confirmed the control @type {number[]} */
const renewals = [];
/** instants when the sum of all shards was shown @type {number[]} */
const views = [];
/** @type {{ at: number, cpuMs: number, bytes: number, reads: number }[]} */
const marks = [];
/** instants of judgements @type {number[]} */
const judgements = [];
let reads = 0;
/** @type {NodeJS.Timeout} */
let timer;

observeCommands();
observeJudgements();
const coordinator = new Coordinator(
  {
    source: { argument: 'http://127.0.0.1:9/' },
    cwd: process.cwd(),
    config: { name: 'config', options: {} },
    commandLine: [
      { name: 'flags', options: { duration: '1m', limit: Number(agents), abortOnFail: true, thresholds: ['p99<9s'] } },
    ],
    own: { agents: Number(agents), agentsQueue: queue },
    env: {},
  },
  {
    notice: (text) => process.stderr.write(`${text}\n`),
    onBegin: () => setTimeout(() => (timer = setInterval(() => marks.push(measured()), MARK_MS)), SKIP_MS),
    onProgress: () => {},
    onTick: () => {},
    onState: () => views.push(performance.now()),
  },
);
const outcome = await coordinator.outcome;
clearInterval(timer);
await coordinator.close();
const { stats, kind, error, message } = outcome;
process.send({
  outcome: kind === 'ended' ? null : `${kind}: ${error?.message ?? message ?? ''}`,
  lost: stats?.agents.lost,
  completed: stats?.iterations.completed,
  views,
  judgements,
  renewals,
  marks,
});
process.disconnect();

/** Notes when Redis has confirmed the control, and how many reports were read. */
function observeCommands() {
  const { sendCommand } = Redis.prototype;
  const control = KEYS.control('');
  const report = `${PREFIX}:report:`;
  Redis.prototype.sendCommand = function (command, ...rest) {
    // the first byte: the end of a report is read to see whether it is new
    if (String(command.args[0]).startsWith(report) && Number(command.args[1]) === 0) reads++;
    if (command.name === 'set' && String(command.args[0]).startsWith(control))
      command.promise.then(
        () => renewals.push(performance.now()),
        () => {},
      );
    return sendCommand.call(this, command, ...rest);
  };
}

function observeJudgements() {
  const { judge } = LiveView.prototype;
  LiveView.prototype.judge = async function (table) {
    const before = this.judgedAt;
    const limit = await judge.call(this, table);
    if (this.judgedAt !== before) judgements.push(performance.now());
    return limit;
  };
}

function measured() {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), cpuMs: (user + system) / 1000, bytes: process.memoryUsage.rss(), reads };
}
