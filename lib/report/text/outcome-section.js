import { measurementNotes, measurementOf, outcomeOf } from '../outcome.js';
import { wrapped } from './layout.js';

/** @type {Record<import('../outcome.js').OutcomeText['status'], import('./layout.js').Style>} */
export const OUTCOME_COLORS = { passed: 'green', doubtful: 'yellow', failed: 'red' };

/** The two judgements, each in a word, with their reasons. @type {import('./index.js').Section} */
export function outcomeSection(result, { paint, width, glyphs }) {
  const { status, headline } = outcomeOf(result);
  const mark = glyphs[status];
  const reason = status === 'passed' ? '' : `: ${headline}`;
  const text = wrapped(
    `${mark === status.toUpperCase() ? mark : `${mark} ${status}`}${reason}`,
    mark.length + 1,
    width,
  );
  return [paint(OUTCOME_COLORS[status], text), ...measurementLines(result, { paint, width })];
}

/** @type {(result: import('../types.js').Result, options: { paint: import('./layout.js').Paint, width: number }) => string[]} */
export function measurementLines(result, { paint, width }) {
  const word = measurementOf(result);
  const colors = /** @type {const} */ ({ sound: 'green', doubtful: 'yellow', void: 'red' });
  return [
    `measurement ${paint(colors[word], word)}`,
    ...measurementNotes(result).map((note) => `  ${wrapped(note, 2, width)}`),
  ];
}

/**
 * The measurement for the format of bench-rest 1: empty if it is sound.
 *
 * @param {import('../types.js').Result} result
 * @returns {string}
 */
export function doubtsText(result) {
  const word = measurementOf(result);
  if (word === 'sound') return '';
  return `measurement ${word}:\n${result.verdict.reasons.map((reason) => `  ${reason}\n`).join('')}`;
}
