import { dirname } from 'node:path';

/** @import { FlowDraft } from '../../../contracts/import.js' */
/** @import { FlowFindings, FlowReader } from '../types.js' */

/** Reads a file with curl commands. @type {FlowReader} */
export async function read({ path = '', text = '', findings }) {
  return readCurl(text, { from: path, folder: dirname(path), findings });
}

/** Reads an HTTP file. @type {FlowReader} */
export async function readHttpFile({ path = '', text = '', findings }) {
  const { read: readDraft } = await import('../../../import/http-file/index.js');
  return flowOf(readDraft(text, { from: path, folder: dirname(path), keepSecrets: true }), path, findings);
}

/** Reports whether a text begins as a curl command, with or without a prompt. @type {(text: string) => boolean} */
export function isCurl(text) {
  return /^(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}

/**
 * Reads curl commands as a flow, secrets included: nothing is written.
 * @type {(text: string, place: { from: string, folder: string, findings?: FlowFindings }) => Promise<unknown>}
 */
export async function readCurl(text, { from, folder, findings }) {
  const { read: readDraft } = await import('../../../import/curl/index.js');
  return flowOf(readDraft(text, { from, folder, keepSecrets: true }), from, findings);
}

/** @type {(draft: FlowDraft, from: string, findings?: FlowFindings) => Promise<unknown>} */
async function flowOf(draft, from, findings) {
  const { flowOfDraft } = await import('../dialects/imported.js');
  const notice = (/** @type {string} */ text) => void findings?.notices.push(`${from}: ${text}`);
  for (const comment of new Set(draft.phases.main.flatMap((one) => one.comments))) notice(comment);
  return flowOfDraft(draft, { notice });
}
