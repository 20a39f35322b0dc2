import { dirname } from 'node:path';

import { counted } from '../../../core/ground/decimal.js';
import { refuseDepth } from '../read-document.js';

/** @import { FlowDraft, ImportOptions } from '../import.js' */
/** @import { DialectContext } from '../../../core/flow/source/types.js' */

/** Parts that a notice names. */
const MOST_NAMED = 5;

/**
 * Returns the flow of a document of another tool, by its reader, that of `bench-rest import`.
 * @type {(reader: { fromDocument: (document: any, options: ImportOptions) => Promise<FlowDraft> }, document: any,
 *   context: DialectContext) => Promise<unknown>}
 */
export async function importedFlow({ fromDocument }, document, context) {
  refuseDepth(document, context.from);
  return flowOfDraft(await fromDocument(document, optionsOf(context)), context);
}

/** A document that runs as it is keeps its secrets. @type {(context: DialectContext) => ImportOptions} */
function optionsOf({ from, cwd, selection }) {
  const folder = /[/\\]/.test(from) ? dirname(from) : cwd;
  return { from, folder, keepSecrets: true, ...(selection.baseUrl !== undefined && { baseUrl: selection.baseUrl }) };
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
