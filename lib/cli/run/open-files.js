/** files that the process opens besides connections */
const OTHERS = 64;
/** every system allows this many connections */
const FEW_LANES = 200;

/**
 * Warns before a run that needs more connections than the system allows this process to open.
 *
 * @param {number} lanes one connection each
 * @param {() => number} [most] reads the limit of open files
 * @returns {string | null} the warning; null if the limit suffices
 */
export function tooFewFiles(lanes, most = mostOpenFiles) {
  if (lanes < FEW_LANES) return null;
  const files = most();
  if (lanes + OTHERS <= files) return null;
  return `${lanes} virtual users need ${lanes + OTHERS} open files, but the limit is ${files}: more connections will fail (EMFILE); raise the limit with ulimit -n ${lanes + OTHERS}`;
}

/** Infinity if the limit is unknown. */
function mostOpenFiles() {
  const { userLimits } = /** @type {any} */ (process.report.getReport());
  return Number(userLimits?.open_files?.soft) || Infinity;
}
