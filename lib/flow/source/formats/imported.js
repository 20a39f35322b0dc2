import { basename, dirname } from 'node:path';

import { SOURCES, sourceOf } from '../../../import/sources.js';

/** @import { FlowFindings, FlowReader } from '../types.js' */

/** The sources that are neither JSON nor YAML, and no code. */
const TEXTS = ['curl', 'http-file', 'vegeta'];

/**
 * Makes the reader of files that are of a source, unless they seem to be of another one.
 * @type {(name: string) => FlowReader}
 */
export function readerOf(name) {
  return ({ path = '', text = '', cwd, findings }) => {
    const place = { from: path, folder: dirname(path), cwd, findings };
    return readImported(textSourceOf(text, basename(path)) ?? name, text, place);
  };
}

/**
 * Finds the source that a text is of, if it is neither JSON nor YAML.
 * @type {(text: string, name: string) => string | undefined}
 */
export function textSourceOf(text, name) {
  const found = sourceOf(text, name)?.name;
  return TEXTS.find((one) => one === found);
}

/**
 * Reads a text of a source as a flow, secrets included: nothing is written.
 * @type {(name: string, text: string, place: { from: string, folder: string, cwd: string, findings?: FlowFindings }) =>
 *   Promise<unknown>}
 */
export async function readImported(name, text, { from, folder, cwd, findings }) {
  const source = SOURCES.find((one) => one.name === name);
  const { read } = await /** @type {import('../../../contracts/import.js').ImportSource} */ (source).load();
  const draft = await read(text, { from, folder, cwd, keepSecrets: true });
  const { operationsOf } = await import('../../../import/draft.js');
  const { flowOfDraft } = await import('../dialects/imported.js');
  const notice = (/** @type {string} */ message) => void findings?.notices.push(`${from}: ${message}`);
  for (const comment of new Set(operationsOf(draft).flatMap((one) => one.comments))) notice(comment);
  return flowOfDraft(draft, { notice });
}
