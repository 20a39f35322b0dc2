import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { counted } from '../../../core/ground/decimal.js';
import { makeError } from '../../../core/ground/errors.js';
import { TOKEN as HTTP_TOKEN } from '../../../core/http/field-values.js';
import { isClosedOff } from '../../../core/process/confinement.js';
import { convertible } from '../../../core/text/convertible.js';
import { draftOf, newDraft, pathInFlow, relativeToBase, requestOf, withField } from '../draft.js';
import { isRecord } from '../read-document.js';
import { replaceSecrets } from '../secrets.js';
import { settle } from '../tokens.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../import.js' */

/** @type {Supported[]} */
export const supported = [
  {
    part: 'lines with a method and a URL, or with a URL alone',
    becomes: 'operations of a `oneOf`: each iteration sends the next one',
  },
  { part: 'lines with a header field below them', becomes: '`headers`' },
  { part: '`@file` below them, from the working directory or the folder of the targets', becomes: '`body: { file }`' },
  { part: 'targets as JSON, one per line, with `body` in base64', becomes: 'the same' },
];

const TARGET = /^(?:([A-Z]+)\s+)?(https?:\/\/\S+)$/i;
/** `htp://localhost/a`, `localhost:8080/a` and `shop.example:80` below a target are no header fields. */
const ADDRESS = /^(?:[\w+.-]+:\/\/|[\w.-]+:\d+\/|(?:localhost|[\w-]+\.[\w.-]+):\d+$)/i;

/**
 * Reads targets of vegeta, or a list of URLs.
 * @throws {Error} E_FLOW_FILE with the line that is none
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  const operations = /^\s*\{/.test(text) ? jsonTargets(text, options) : plainTargets(text, options);
  const draft = newDraft();
  draft.phases.main = operations.map((operation) => draftOf(operation));
  const relative = replaceSecrets(relativeToBase(settle(draft), options.baseUrl), options);
  const { main } = relative.phases;
  const comments = [`Made from ${counted(main.length, 'target')} by bench-rest import.`];
  if (main.length === 1) return { ...relative, comments };
  // vegeta sends one target at each time; an iteration is one request.
  const oneOf = draftOf({ oneOf: main.map(({ operation }) => operation) }, ['Each iteration sends the next one.']);
  return { ...relative, comments, phases: { ...relative.phases, main: [oneOf] } };
}

const EXAMPLE = 'write a line such as: GET http://localhost:3000/items';

/**
 * Reads targets with one line for the request, and further ones below it.
 * @type {(text: string, options: ImportOptions) => Record<string, any>[]}
 */
function plainTargets(text, options) {
  const { from } = options;
  /** @type {Record<string, any>[]} */
  const operations = [];
  for (const [i, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.trim();
    if (line === '' || /^(?:#|\/\/)/.test(line)) continue;
    const [, method = 'GET', url] = TARGET.exec(line) ?? [];
    if (url !== undefined) operations.push(requestOf(method.toUpperCase(), url));
    else if (!addLine(operations.at(-1), line, options))
      throw makeError('E_FLOW_FILE', {
        path: `${from}:${i + 1}`,
        reason: 'is neither a target, nor a header field or a body of one',
        cure: EXAMPLE,
      });
  }
  if (operations.length === 0) throw makeError('E_FLOW_FILE', { path: from, reason: 'has no targets', cure: EXAMPLE });
  return operations;
}

/**
 * Adds the field or the body of a line to the target above it; false if the line has neither, or no target is above it.
 * @type {(target: Record<string, any> | undefined, line: string, options: ImportOptions) => boolean}
 */
function addLine(target, line, options) {
  if (target === undefined) return false;
  const [, file] = /^@(.+)$/.exec(line) ?? [];
  if (file !== undefined) {
    target.body = { file: pathInFlow(file, { ...options, folder: folderOf(file, options) }) };
    return true;
  }
  const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
  if (!HTTP_TOKEN.test(name) || ADDRESS.test(line)) return false;
  target.headers = withField(target.headers ?? {}, name, value);
  return true;
}

/**
 * vegeta reads files from its working directory, often the folder above that of its targets.
 * @type {(file: string, options: ImportOptions) => string}
 */
function folderOf(file, { folder, cwd = folder }) {
  const isThere = (/** @type {string} */ path) => !isClosedOff(path) && existsSync(path);
  return [cwd, folder, dirname(folder)].find((one) => isThere(resolve(one, file))) ?? folder;
}

/** Reads targets of JSON, one per line. @type {(text: string, options: ImportOptions) => Record<string, any>[]} */
function jsonTargets(text, { from }) {
  return text
    .split(/\r?\n/)
    .map((line, i) => ({ line: line.trim(), place: `${from}:${i + 1}` }))
    .filter(({ line }) => line !== '')
    .map(({ line, place }) => {
      try {
        // vegeta reads null as a member that is not there.
        const target = convertible(JSON.parse(line, (_, value) => value ?? undefined));
        const { method = 'GET', url, header = {}, body } = target;
        if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) throw new Error('its url is none of HTTP');
        if (typeof method !== 'string') throw new Error('its method is no text');
        if (!isRecord(header)) throw new Error('its header is no object');
        if (body !== undefined && typeof body !== 'string') throw new Error('its body is no text in base64');
        const bytes = body === undefined ? undefined : Buffer.from(body, 'base64');
        const isText = bytes !== undefined && Buffer.from(bytes.toString()).equals(bytes);
        const fields = Object.entries(header).map(([name, value]) => [
          name,
          Array.isArray(value) && value.length === 1 ? value[0] : value,
        ]);
        return {
          ...requestOf(method.toUpperCase(), url),
          ...(fields.length > 0 && { headers: Object.fromEntries(fields) }),
          ...(bytes && { body: isText ? bytes.toString() : new Uint8Array(bytes) }),
        };
      } catch (error) {
        throw makeError(
          'E_FLOW_FILE',
          { path: place, reason: /** @type {Error} */ (error).message, cure: 'correct the target' },
          { cause: error },
        );
      }
    });
}
