import { dirname } from 'node:path';

import { counted } from '../../../ground/decimal.js';

/** @import { FlowDraft, ImportOptions } from '../../../contracts/import.js' */
/** @import { Dialect, DialectContext } from '../types.js' */

/** Parts that a notice names. */
const MOST_NAMED = 5;

/** @type {Dialect} */
export const openapi = {
  name: 'openapi',
  about: 'an OpenAPI or Swagger document: its operations, in the order in which they depend on each other',

  recognizes({ openapi, swagger, paths }) {
    return (typeof openapi === 'string' || swagger !== undefined) && typeof paths === 'object' && paths !== null;
  },

  async toFlow(document, _, context) {
    const { fromDocument } = await import('../../../import/openapi/index.js');
    return flowOfDraft(await fromDocument(document, optionsOf(context)), context);
  },
};

/** The secrets of a source that is run as it is stay in it. @type {(context: DialectContext) => ImportOptions} */
function optionsOf({ from, cwd, recording }) {
  const folder = /[/\\]/.test(from) ? dirname(from) : cwd;
  return { from, folder, keepSecrets: true, ...(recording.baseUrl !== undefined && { baseUrl: recording.baseUrl }) };
}

/**
 * Returns the flow of a draft, and reports what is not in it.
 * @type {(draft: FlowDraft, context: Pick<DialectContext, 'notice'>) => Promise<unknown>}
 */
export async function flowOfDraft(draft, { notice }) {
  const { flowOf, operationsOf, titleOf } = await import('../../../import/draft.js');
  const all = operationsOf(draft);
  const disabled = all.filter((one) => one.disabled !== undefined);
  const left = [
    ...disabled.map((one) => `${titleOf(one.operation)}: ${one.disabled}`),
    ...draft.skipped.map(({ what, why }) => `${what}: ${why}`),
  ];
  if (left.length > 0) {
    const more = left.length > MOST_NAMED ? [`and ${left.length - MOST_NAMED} more`] : [];
    const head = `sends ${counted(all.length - disabled.length, 'operation')}; left out:`;
    notice([head, ...left.slice(0, MOST_NAMED), ...more].join('\n  '));
  }
  return flowOf(draft);
}
