import ours from './ours.js';

/** One worker, beside which two are measured: what sharing costs. */
export default {
  ...ours,
  name: 'ours-one',
  works: ['workers'],
  command: (asked) => ours.command(asked).map((word, i, words) => (words[i - 1] === '-w' ? '1' : word)),
};
