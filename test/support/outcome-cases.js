import { judgementOf } from '../../lib/core/measure/judge-thresholds.js';
import { thresholdsOf } from '../../lib/core/measure/thresholds.js';

/** @import { Judgement } from '../../lib/core/measure/thresholds.js' */

/** What decides the outcome of a run: test/outcome.test.js checks all combinations in every report. */
const FACTORS = /** @type {const} */ ({
  completed: ['all', 'some', 'none'],
  errors: ['none', 'errors', 'allowed errors', 'in the teardown', 'outside windows'],
  cutOff: ['none', 'early', 'late', 'late, allowed', 'overdue'],
  dropped: ['0 %', '0.5 %', '5 %', '5 %, allowed'],
  missing: ['nothing', 'iterations', 'shards'],
  requests: ['sent', 'left out'],
  generator: ['valid', 'suspect', 'saturated', 'invalid'],
  thresholds: ['none', 'hold', 'fail'],
});

/** @typedef {{ [F in keyof typeof FACTORS]: typeof FACTORS[F][number] }} Case */

/** Every combination of factors that a run can have. @returns {Case[]} */
export function outcomeCases() {
  /** @type {any[]} */
  let cases = [{}];
  for (const [factor, values] of Object.entries(FACTORS))
    cases = cases.flatMap((one) => values.map((value) => ({ ...one, [factor]: value })));
  return cases.filter(isPossible);
}

/** Errors after `main`, which do not keep an iteration from completing. */
const AFTER_MAIN = ['in the teardown', 'outside windows'];

/**
 * Iterations that have not completed failed, or were cut off; without a request none of that happens, but for errors
 * outside of them.
 * @type {(one: Case) => boolean}
 */
function isPossible({ completed, errors, cutOff, requests }) {
  const isWhole = (errors === 'none' || AFTER_MAIN.includes(errors)) && cutOff === 'none';
  const isPlain = errors === 'none' && cutOff === 'none' && completed === 'all';
  return (completed === 'all') === isWhole && (requests === 'sent' || isPlain);
}

const STARTED = 1000;
const PER_THOUSAND = { '0 %': 0, '0.5 %': 5, '5 %': 53, '5 %, allowed': 53 };

/**
 * How the iterations of a case ended, and the errors beside them.
 * @type {(given: Case) => { failed: number, cancelled: number, overdue: number, others: number }}
 */
function endsOf({ completed, errors, cutOff }) {
  const failing = completed === 'none' ? STARTED : 40;
  const hasFailed = errors === 'errors' || errors === 'allowed errors';
  const failed = hasFailed ? (cutOff === 'none' ? failing : failing / 2) : 0;
  const cancelled = cutOff === 'none' ? 0 : failing - failed;
  const overdue = cutOff === 'overdue' ? cancelled : 0;
  return { failed, cancelled, overdue, others: AFTER_MAIN.includes(errors) ? 40 : 0 };
}

/**
 * The parts of a result that decide, for a case.
 *
 * @param {Case} given
 */
export function judgedPart(given) {
  const { errors, cutOff, dropped, missing, requests, generator } = given;
  const { failed, cancelled, overdue, others } = endsOf(given);
  const count = failed + overdue + others;
  const sent = requests === 'sent' ? STARTED : 0;
  const answered = Math.max(0, sent - cancelled);
  const isSaturated = generator === 'saturated';
  return {
    iterations: {
      started: STARTED,
      completed: STARTED - failed - cancelled,
      ...{ failed, cancelled, overdue },
      cutOff: cutOff.startsWith('late') ? cancelled : 0,
      teardownFailed: errors === 'in the teardown' ? others : 0,
      dropped: PER_THOUSAND[dropped],
      missing: missing === 'iterations' ? STARTED : 0,
    },
    requests: { sent, answered },
    operations: [
      { name: 'GET /items', phase: 'main', count: answered, errors: failed },
      { name: 'GET /slow', phase: 'main', count: overdue, errors: overdue },
    ],
    errors: { count, overdue, share: count / STARTED, kinds: {} },
    validity: { status: isSaturated ? 'suspect' : generator, reasons: [] },
    loadGenerator: { saturated: isSaturated, reasons: [] },
    ...(missing === 'shards' && { run: { shards: { merged: 1, of: 2 } } }),
    thresholds: judgementsOf(given),
  };
}

/** The thresholds of a case. @type {(given: Case) => Judgement[]} */
function judgementsOf({ errors, cutOff, dropped, thresholds }) {
  const passed = [
    ...(errors === 'allowed errors' ? ['errors<2000'] : []),
    // the errors are in no window, so none of them fails
    ...(errors === 'outside windows' ? ['errors<1% over 1s'] : []),
    ...(dropped === '5 %, allowed' ? ['dropped<60'] : []),
    ...(cutOff === 'late, allowed' ? ['cancelled<2000'] : []),
    ...(thresholds === 'hold' ? ['p99<1s'] : []),
  ];
  const expressions = [...passed, ...(thresholds === 'fail' ? ['p50<1us'] : [])];
  return thresholdsOf({ thresholds: expressions.map((expression) => ({ expression })) }).map((threshold) => ({
    ...judgementOf(threshold, 5),
    passed: passed.includes(threshold.expression),
  }));
}
