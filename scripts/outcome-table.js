import { exitCode } from '../lib/ground/exit-codes.js';
import { reasonsOf, statusOf } from '../lib/measure/outcome.js';

/**
 * What decides the outcome of a run, in all combinations, as the table of docs/reference/exit-codes.md shows them and
 * test/outcome.test.js checks them in every report.
 */
export const FACTORS = /** @type {const} */ ({
  completed: ['all', 'some', 'none'],
  errors: ['none', 'errors', 'allowed errors'],
  cutOff: ['none', 'early', 'overdue'],
  dropped: ['0 %', '0.5 %', '5 %', '5 %, allowed'],
  generator: ['sound', 'doubtful', 'saturated', 'void'],
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

/** Iterations that have not completed failed, or were cut off. @type {(one: Case) => boolean} */
function isPossible({ completed, errors, cutOff }) {
  return (completed === 'all') === (errors === 'none' && cutOff === 'none');
}

/**
 * The parts of a result that decide, for a case.
 *
 * @param {Case} given
 */
export function judgedPart({ completed, errors, cutOff, dropped, generator, thresholds }) {
  const [started, perHundred] = [1000, { '0 %': 0, '0.5 %': 5, '5 %': 53, '5 %, allowed': 53 }];
  const failing = completed === 'none' ? started : 20;
  const failed = errors === 'none' ? 0 : cutOff === 'none' ? failing : failing / 2;
  const cancelled = cutOff === 'none' ? 0 : failing - failed;
  const overdue = cutOff === 'overdue' ? cancelled : 0;
  const errorCount = failed + overdue;
  const judgements = [
    ...(thresholds === 'none' ? [] : [{ expression: 'p99<1s', passed: thresholds === 'hold', actual: 5, unit: 'ms' }]),
    ...(errors === 'allowed errors' ? [{ expression: 'errors<2000', passed: true, actual: errorCount, unit: '' }] : []),
    ...(dropped === '5 %, allowed' ? [{ expression: 'dropped<60', passed: true, actual: 53, unit: '' }] : []),
  ];
  return {
    iterations: {
      started,
      completed: started - failed - cancelled,
      failed,
      cancelled,
      overdue,
      dropped: perHundred[dropped],
    },
    errors: {
      count: errorCount,
      share: errorCount / started,
      allowed: errorCount === 0 || errors === 'allowed errors',
      kinds: {},
    },
    verdict: { status: generator === 'saturated' ? 'doubtful' : generator, reasons: [] },
    client: { saturated: generator === 'saturated', notes: generator === 'saturated' ? ['busy'] : [] },
    thresholds: judgements,
  };
}

/** The rows of the documented table: each factor alone, and combinations in which several matter. @returns {string[][]} */
export function outcomeRows() {
  const plain = /** @type {Case} */ ({
    completed: 'all',
    errors: 'none',
    cutOff: 'none',
    dropped: '0 %',
    generator: 'sound',
    thresholds: 'none',
  });
  /** @type {Partial<Case>[]} */
  const shown = [
    {},
    { completed: 'some', errors: 'errors' },
    { completed: 'some', errors: 'allowed errors' },
    { completed: 'none', errors: 'errors' },
    { completed: 'none', errors: 'allowed errors' },
    { completed: 'some', cutOff: 'early' },
    { completed: 'some', cutOff: 'overdue' },
    { completed: 'some', cutOff: 'overdue', errors: 'allowed errors' },
    { completed: 'none', cutOff: 'overdue' },
    { dropped: '0.5 %' },
    { dropped: '5 %' },
    { dropped: '5 %, allowed' },
    { generator: 'doubtful' },
    { generator: 'saturated' },
    { generator: 'saturated', dropped: '5 %' },
    { generator: 'void' },
    { thresholds: 'hold' },
    { thresholds: 'fail' },
    { thresholds: 'fail', completed: 'some', errors: 'errors' },
  ];
  return shown.map((changes) => {
    const one = { ...plain, ...changes };
    const judged = /** @type {any} */ (judgedPart(one));
    return [...Object.values(one), `**${statusOf(judged)}**`, String(exitCode(reasonsOf(judged)))];
  });
}
