import { CURE } from '../../measure/regression.js';
import { count } from '../numbers.js';

/** @import { ComparedStats } from '../../measure/compare.js' */

/** How the changes were tested, by the method of a comparison. @type {Record<ComparedStats['method'], string>} */
const METHODS = {
  pairs: "Paired runs: Student's t test of the logarithms of the pairs.",
  runs: "One value per run: Welch's t test of the logarithms.",
  sequence:
    "The sides ran one after the other: Welch's t test of the logarithms, wider by how much runs that follow each other are alike. It does not see a machine that changed between the sides: bench-rest ab does.",
  noise: 'Changes beside how much runs differ by chance, as --noise or --history say.',
  none: '',
};

/**
 * How the changes were tested, or why they were not and what to do.
 *
 * @param {Pick<ComparedStats, 'method' | 'why' | 'tests'>} comparison
 * @returns {string} sentences
 */
export function methodText({ method, why, tests }) {
  if (why !== null) return `${cannotTell(why)}: ${CURE}.`;
  const several =
    tests > 1
      ? ` ${count(tests)} figures were tested; of those called better or worse, at most 5 % on average are so by chance (Benjamini-Hochberg).`
      : '';
  return `${METHODS[method]}${several}`;
}

/** @type {(why: string) => string} */
export function cannotTell(why) {
  return `Cannot tell noise from change, because ${why}`;
}
