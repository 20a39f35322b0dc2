import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { makeError } from '../../../core/ground/errors.js';
import { isOutside } from '../../../core/process/confinement.js';
import { readTextFile } from '../../../core/process/read-file.js';
import { parseJson } from '../../../core/text/parse-json.js';
import { isRecord, member, membersOf } from '../read-document.js';

/** @import { ImportOptions } from '../import.js' */
/** @import { Variables } from '../variables.js' */

/** Environments of JetBrains; the values of the private one are secrets, and replace those of the other one. */
const FILES = ['http-client.env.json', 'http-client.private.env.json'];
const MAX_BYTES = 16 * 1024 * 1024;
/** Values for all environments. */
const SHARED = '$shared';

/**
 * Sets the variables of the environment files beside an HTTP file, or in the nearest folder above it up to the working
 * directory. Returns notes for people.
 * @throws {Error} E_FLOW_FILE if a file is damaged, E_USAGE if it has no environment of this name
 * @type {(variables: Variables, options: ImportOptions) => string[]}
 */
export function readEnvironment(variables, { folder, cwd = folder, environment }) {
  const found = folderOf(folder, cwd);
  if (found === undefined) return [];
  const documents = FILES.map((name) => read(join(found, name)));
  const names = [...new Set(documents.flatMap((one) => Object.keys(one)))].filter((name) => name !== SHARED);
  const [wanted] = /** @type {string[]} */ (environment ?? []);
  const name = wanted ?? names[0];
  if (wanted !== undefined && !names.includes(wanted))
    throw makeError('E_USAGE', {
      problem: `--environment ${wanted}: ${FILES[0]} has ${names.join(', ') || 'no environment'}`,
    });
  for (const [i, document] of documents.entries())
    for (const one of [SHARED, name])
      for (const [key, value] of membersOf(member(document, one)))
        if (!isRecord(value)) variables.set(key, value, i === 1);
  const others = names.filter((one) => one !== name);
  const choice = others.length === 0 ? '' : ` The others are ${others.join(', ')}: --environment selects one.`;
  return name === undefined ? [] : [`The values of variables are those of ${name} in ${FILES[0]}.${choice}`];
}

/** @type {(folder: string, last: string) => string | undefined} */
function folderOf(folder, last) {
  if (FILES.some((name) => existsSync(join(folder, name)))) return folder;
  return folder === last || isOutside(relative(last, folder)) ? undefined : folderOf(dirname(folder), last);
}

/** @type {(path: string) => Record<string, any>} */
function read(path) {
  if (!existsSync(path)) return {};
  const { value, fault } = parseJson(readTextFile(path, { maxBytes: MAX_BYTES }));
  if (!fault && isRecord(value)) return value;
  throw makeError('E_FLOW_FILE', { path, reason: 'is no JSON object', cure: 'write one object for each environment' });
}
