import { usageText } from '../../../core/report/rows.js';

/** @import { Block, Result } from '../../../core/report/types.js' */

/** The load of a server that is a thread of this process. @type {(result: Result) => Block[]} */
export function blocksOf({ servers = [] }) {
  const threads = servers.filter(({ source }) => source === 'thread');
  return [{ lines: threads.map((server) => ({ name: 'server', text: usageText(server).join(', ') })) }];
}
