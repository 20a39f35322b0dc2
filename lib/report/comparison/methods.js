/** How the changes were tested, by the method of a comparison. */
export const METHODS = {
  pairs: "Paired runs: Student's t test of the logarithms of the pairs.",
  runs: "One value per run: Welch's t test of the logarithms.",
  blocks: "One run per side, split into five blocks of time: Welch's t test of the logarithms of the blocks.",
  none: 'Too few data for a significance test: use runs of a minute or more, or bench-rest ab with three runs or more per side.',
};
