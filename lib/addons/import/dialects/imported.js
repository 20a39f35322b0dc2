import { dirname } from 'node:path';

import { counted } from '../../../core/ground/decimal.js';
import { isRecord } from '../../../core/flow/record.js';

/** @import { FlowDraft, ImportOptions } from '../import.js' */
/** @import { Dialect, DialectContext } from '../../../core/flow/source/types.js' */

/** Parts that a notice names. */
const MOST_NAMED = 5;

/** @typedef {{ fromDocument: (document: any, options: ImportOptions) => Promise<FlowDraft> }} DocumentReader */

/**
 * Makes a dialect of a document of another tool. `load` loads its reader, that of `bench-rest import`, which makes a
 * draft of a flow.
 * @type {(row: Pick<Dialect, 'name' | 'about' | 'recognizes'> & { load: () => Promise<DocumentReader> }) => Dialect}
 */
const imported = ({ load, ...row }) => ({
  ...row,
  async toFlow(document, _, context) {
    const [{ fromDocument }, { refuseDepth }] = await Promise.all([load(), import('../read-document.js')]);
    refuseDepth(document, context.from);
    return flowOfDraft(await fromDocument(document, optionsOf(context)), context);
  },
});

export const openapi = imported({
  name: 'openapi',
  about: 'an OpenAPI or Swagger document: its operations, in the order in which they depend on each other',
  recognizes: ({ openapi, swagger, paths }) =>
    (typeof openapi === 'string' || swagger !== undefined) && isRecord(paths),
  load: () => import('../openapi/index.js'),
});

export const postman = imported({
  name: 'postman',
  about: 'a Postman collection: its requests in their order',
  recognizes: ({ info, item }) => isRecord(info) && Array.isArray(item),
  load: () => import('../postman/index.js'),
});

export const insomnia = imported({
  name: 'insomnia',
  about: 'an export of Insomnia: its requests in their order',
  recognizes: ({ _type, resources, type }) =>
    (_type === 'export' && Array.isArray(resources)) || /^collection\.insomnia\.rest/.test(String(type)),
  load: () => import('../insomnia/index.js'),
});

export const artillery = imported({
  name: 'artillery',
  about: 'a script of Artillery: its scenarios, its load and its conditions',
  recognizes: ({ config, scenarios }) => isRecord(config) && Array.isArray(scenarios),
  load: () => import('../artillery/index.js'),
});

/** A document that runs as it is keeps its secrets. @type {(context: DialectContext) => ImportOptions} */
function optionsOf({ from, cwd, recording }) {
  const folder = /[/\\]/.test(from) ? dirname(from) : cwd;
  return { from, folder, keepSecrets: true, ...(recording.baseUrl !== undefined && { baseUrl: recording.baseUrl }) };
}

/**
 * Returns the flow of a draft, and reports what is not in it.
 * @type {(draft: FlowDraft, context: Pick<DialectContext, 'notice'>) => Promise<unknown>}
 */
export async function flowOfDraft(draft, { notice }) {
  const { flowOf, operationsOf, titleOf } = await import('../draft.js');
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
