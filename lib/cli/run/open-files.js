/** files of the process beside its connections: what it reads and writes, and the threads' own */
const OTHERS = 64;
/** fewer lanes than this no system minds */
const FEW_LANES = 200;

/**
 * What is to be said before a run whose lanes want more connections than the system lets this process have open.
 *
 * @param {number} lanes
 * @param {() => number} [most] files that it may have open, asked only where it matters
 * @returns {string | null} null where there is nothing to say
 */
export function tooFewFiles(lanes, most = mostOpenFiles) {
  if (lanes < FEW_LANES) return null;
  const files = most();
  if (lanes + OTHERS <= files) return null;
  return `${lanes} lanes, but the system lets this process have only ${files} files open: connections beyond will fail (EMFILE); raise the limit with ulimit -n ${lanes + OTHERS}`;
}

/** Infinity where the system does not say. */
function mostOpenFiles() {
  const { userLimits } = /** @type {any} */ (process.report.getReport());
  return Number(userLimits?.open_files?.soft) || Infinity;
}
