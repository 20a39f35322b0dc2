import { basename } from 'node:path';

import { targetText } from './target-text.js';

/**
 * @import { Result } from './types.js'
 *
 * @typedef {object} Head the lines at the top of a page or a picture
 * @property {string} title
 * @property {string} subtitle the load and the target; empty if they are unknown
 * @property {string[]} about date, version and machine
 */

/**
 * @param {Pick<Result, 'title' | 'run' | 'operations'>} result
 * @returns {Head}
 */
export function headOf({ title, run, operations }) {
  if (!run) return { title: title ?? 'result', subtitle: '', about: [] };
  const { flow, shape, startedAt, tool, machine } = run;
  return {
    title: title ?? (fileOf(flow.from) || (operations[0]?.name ?? 'flow')),
    subtitle: `${shape}${targetText(run)}`,
    about: [
      `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`,
      tool,
      `Node ${machine.node}`,
      `${machine.platform}, ${machine.cpus}`,
    ],
  };
}

/** The name of a file; empty for URLs, and for flows of the command line. @type {(from: string) => string} */
function fileOf(from) {
  return from === '-e' || /^\w+:\/\//.test(from) ? '' : basename(from);
}
