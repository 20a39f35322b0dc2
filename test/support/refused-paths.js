import { benchrest } from '../../lib/core/run/benchrest.js';

/** The code of the error with which a program is refused, and the paths of its problems; empty: it runs. */
export function refusedPaths(flow, options) {
  try {
    benchrest(flow, options);
  } catch ({ code, problems }) {
    return [code, ...problems.map(({ path }) => path)];
  }
  return [];
}
