import ours from './ours.js';

/** One worker, the base for the cost of two. */
export default {
  ...ours,
  name: 'ours-one',
  works: ['workers'],
  command: (asked) => ours.command(asked).map((word, i, words) => (words[i - 1] === '-w' ? '1' : word)),
};
