import { dirname } from 'node:path';

/** @import { FlowFindings, FlowReader } from '../types.js' */

/** Reads a file with curl commands. @type {FlowReader} */
export async function read({ path = '', text = '', findings }) {
  return readCurl(text, { from: path, folder: dirname(path), findings });
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
  const [{ read: readDraft }, { flowOfDraft }] = await Promise.all([
    import('../../../import/curl/index.js'),
    import('../dialects/imported.js'),
  ]);
  const draft = readDraft(text, { from, folder, keepSecrets: true });
  const comments = draft.phases.main.flatMap((one) => one.comments);
  for (const comment of [...new Set(comments)]) findings?.notices.push(`${from}: ${comment}`);
  return flowOfDraft(draft, { notice: (text) => void findings?.notices.push(`${from}: ${text}`) });
}
