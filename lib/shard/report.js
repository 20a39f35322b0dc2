import { contradictionIn, implausibleSummary } from '../measure/accounts.js';
import { resultSchema } from '../measure/result-schema.js';
import { PHASES } from '../phases.js';
import { shapeOf } from '../schema-shape.js';
import { ShapeError, choice, json, list, mapOf, nullable, number, optional, rebuild, record, text } from '../shape.js';
import { PRESENCE } from './messages.js';
import { PROTOCOL, unpack } from './protocol.js';

/**
 * The reports of shards, as their coordinator reads them: another machine, or anyone who reaches the queue, wrote them.
 *
 * @import { Shape } from '../shape.js'
 * @import { Report } from './protocol.js'
 */

const whole = number({ least: 0, isWhole: true });
const amount = number({ least: 0 });
/** of a flow, which may have many and long ones */
const anyText = text({ most: Infinity });
const texts = list(anyText, { most: Infinity });

const SHARD = record({
  number: number({ least: 1, isWhole: true }),
  of: number({ least: 1, isWhole: true }),
  from: optional(whole),
});

/** Times without a limit are null in JSON. */
const PLAN = record({
  shape: anyText,
  pacing: optional(choice('timer', 'thread', 'poll')),
  origins: texts,
  proxies: texts,
  operations: record(Object.fromEntries(PHASES.map((phase) => [phase, texts]))),
  limits: record({
    leadMs: nullable(amount),
    endMs: nullable(amount),
    gracefulStopMs: nullable(amount),
    teardownMs: nullable(amount),
  }),
  shard: optional(SHARD),
  runId: optional(anyText),
  shortage: optional(anyText),
  options: mapOf(json),
});

const TICK = record({
  phase: choice(...PHASES),
  elapsedMs: nullable(amount),
  share: nullable(amount),
  ended: whole,
  inFlight: whole,
  errors: whole,
});

/** @type {Shape<Report>} */
const REPORT = record({
  protocol: choice(PROTOCOL),
  lease: text(),
  sequence: number({ least: 1, isWhole: true }),
  state: choice('preparing', 'ready', 'running', 'ended', 'refused'),
  agent: PRESENCE,
  clockOffsetMs: number(),
  startDelayMs: nullable(number()),
  begun: nullable(record({ plan: PLAN, from: anyText, hash: text(), notices: texts, hints: texts })),
  tick: nullable(TICK),
  stats: nullable(shapeOf(resultSchema())),
  inFlight: whole,
  outcome: nullable(
    record({ kind: choice('ended', 'aborted', 'lost'), why: optional(text()), message: optional(text()) }),
  ),
  error: nullable(record({ code: optional(text()), message: text() })),
});

/**
 * Reads a report. Its histograms are decoded when they are added up, which checks them: see `stateOf`.
 *
 * @param {Buffer} bytes as `pack` returns them
 * @returns {Promise<Report>} a new object that has what is declared here
 * @throws {Error} whose message explains why it is none
 */
export async function readReport(bytes) {
  return reportOf(await unpack(bytes));
}

/**
 * @param {unknown} value
 * @returns {Report}
 * @throws {Error}
 */
export function reportOf(value) {
  const report = rebuild(REPORT, value, { name: 'report' });
  const { state, outcome, error, stats } = report;
  if ((state === 'ended') !== (outcome !== null)) throw new ShapeError('report.outcome', 'contradicts its state');
  if ((state === 'refused') !== (error !== null)) throw new ShapeError('report.error', 'contradicts its state');
  const contradiction =
    stats && (contradictionIn(stats, { isOver: outcome?.kind === 'ended' }) ?? implausibleSummary(stats));
  if (contradiction) throw new ShapeError('report.stats', contradiction);
  return report;
}
