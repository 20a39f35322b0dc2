import { basename, dirname } from 'node:path';

import { SOURCES, sourceOf } from '../sources.js';

/** @import { FlowFindings, FlowReader } from '../../../core/flow/source/types.js' */

/**
 * The kinds of text that other tools have and that run as flows: `SOURCES`, the table of `bench-rest import`, has a row
 * for each, which is called a source. Those in JSON and YAML are dialects instead (`../dialects/imported.js`).
 */
const TEXTS = ['curl', 'http-file', 'vegeta'];

/** Makes the reader of a source; the text may show that another one reads it. @type {(name: string) => FlowReader} */
export function readerOf(name) {
  return ({ path = '', text = '', cwd, findings }) => {
    const place = { from: path, folder: dirname(path), cwd, findings };
    return readImported(textSourceOf(text, basename(path)) ?? name, text, place);
  };
}

/** Finds the source; undefined if it is none of `TEXTS`. @type {(text: string, name: string) => string | undefined} */
export function textSourceOf(text, name) {
  const found = sourceOf(text, name)?.name;
  return TEXTS.find((one) => one === found);
}

/**
 * Reads a text of a source as a flow, with its secrets: only files that are written have none.
 * @type {(name: string, text: string, place: { from: string, folder: string, cwd: string, findings?: FlowFindings }) =>
 *   Promise<unknown>}
 */
export async function readImported(name, text, { from, folder, cwd, findings }) {
  const source = SOURCES.find((one) => one.name === name);
  const { read } = await /** @type {import('../import.js').ImportSource} */ (source).load();
  const draft = await read(text, { from, folder, cwd, keepSecrets: true });
  const { operationsOf } = await import('../draft.js');
  const { flowOfDraft } = await import('../dialects/imported.js');
  const notice = (/** @type {string} */ message) => void findings?.notices.push(`${from}: ${message}`);
  for (const comment of new Set(operationsOf(draft).flatMap((one) => one.comments))) notice(comment);
  return flowOfDraft(draft, { notice });
}
