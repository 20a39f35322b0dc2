import { isUtf8 } from 'node:buffer';

import { Document, isScalar, visit } from 'yaml';

import { wrapped } from '../../core/text/format-value.js';
import { TOKEN } from '../../core/text/mask.js';
import { safe } from '../../core/text/safe.js';
import { Code, flowOf, isPlainText, mapOperations, operationsOf, phasesIn, settingsOf, titleOf } from './draft.js';

/** @import { DraftPhases, FlowDraft, OperationDraft } from './import.js' */

/**
 * Writes a flow as a person would: the same draft gives the same text. JSON has no comments: {@link commentsOf} lists
 * them for the terminal.
 * @type {(draft: FlowDraft, format: 'mjs' | 'yaml' | 'json') => string}
 */
export function writeFlow(draft, format) {
  if (format === 'mjs') return writeModule(draft);
  const given = asData(draft);
  return format === 'json' ? `${JSON.stringify(flowOf(given), null, 2)}\n` : writeYaml(given);
}

/** Lists what JSON lacks: comments, and operations that are commented out. @type {(draft: FlowDraft) => string[]} */
export function commentsOf(draft) {
  const remarks = operationsOf(asData(draft)).flatMap(({ operation, comments, disabled }) => [
    ...comments.map((comment) => `${titleOf(operation)}: ${comment}`),
    ...(disabled === undefined ? [] : [`${titleOf(operation)}: left out: ${disabled}`]),
  ]);
  return [...draft.comments, ...remarks].map(safe);
}

/** YAML and JSON have neither bytes nor code. @type {(draft: FlowDraft) => FlowDraft} */
function asData(draft) {
  return withoutBytes(withoutCode(draft));
}

/** Comments out the operations with code, or with a token that is. @type {(draft: FlowDraft) => FlowDraft} */
function withoutCode(draft) {
  const { tokens = {}, ...properties } = /** @type {Record<string, any>} */ (draft.properties ?? {});
  const names = Object.keys(tokens);
  const uses = names.length > 0 ? new RegExp(`#[{<](?:${names.join('|')})[:}>]`) : /(?!)/;
  const reason = 'it needs code: write the flow as .mjs, which can have it';
  return mapOperations(names.length > 0 ? { ...draft, properties } : draft, (one) => {
    const isCode = Object.values(one.operation).some((value) => value instanceof Code);
    if (!isCode && !uses.test(JSON.stringify(one.operation))) return one;
    const operation = Object.fromEntries(Object.entries(one.operation).filter(([, value]) => !(value instanceof Code)));
    return { ...one, operation, disabled: one.disabled ?? reason };
  });
}

/** YAML and JSON have no bytes; those that are text become text. @type {(draft: FlowDraft) => FlowDraft} */
function withoutBytes(draft) {
  return mapOperations(draft, (one) => {
    const { body } = one.operation;
    const text = body instanceof Uint8Array && isUtf8(body) ? Buffer.from(body).toString() : null;
    const isText = text !== null && isPlainText(text);
    if (isText && !TOKEN.test(text)) return { ...one, operation: { ...one.operation, body: text } };
    const [name] = Object.entries(one.operation).find(([, value]) => hasBytes(value)) ?? [];
    if (name === undefined) return one;
    const why = name !== 'body' ? 'has bytes' : isText ? 'has #{ or #<, which would begin a token' : 'is not text';
    const reason = `its ${name} ${why}: write the flow as .mjs, which can have it`;
    return { ...one, operation: withTexts(one.operation), disabled: one.disabled ?? reason };
  });
}

/** @type {(value: any) => boolean} */
function hasBytes(value) {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Uint8Array || Object.values(value).some(hasBytes);
}

/** @type {(value: any) => any} */
function withTexts(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return value.map(withTexts);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one)]));
}

/** @type {(draft: FlowDraft) => string} */
function writeModule(draft) {
  const { comments, phases, scenarios } = draft;
  const members = [
    ...headOf(draft).map(([key, value]) => `  ${printMember(key, value, 2)},`),
    ...modulePhases(phases, { needsMain: scenarios === undefined }, 2),
    ...(scenarios
      ? [
          '  scenarios: {',
          ...Object.entries(scenarios).flatMap(([name, given]) => [
            `    ${printKey(name)}: {`,
            ...settingsOf(given).map(([key, value]) => `      ${printMember(key, value, 6)},`),
            ...modulePhases(given, { needsMain: true }, 6),
            '    },',
          ]),
          '  },',
        ]
      : []),
  ];
  const head = comments.flatMap((comment) => commentLines(comment, '//', 0));
  return [
    "import { defineFlow } from 'bench-rest';",
    '',
    ...head,
    'export default defineFlow({',
    ...members,
    '});',
    '',
  ].join('\n');
}

/** Lists what a flow has in front of its phases. @type {(draft: FlowDraft) => [string, unknown][]} */
function headOf({ baseUrl, properties = {} }) {
  return [
    ...(baseUrl === undefined ? [] : [/** @type {[string, unknown]} */ (['baseUrl', baseUrl])]),
    ...Object.entries(properties),
  ];
}

/** @type {(phases: Partial<DraftPhases>, options: { needsMain: boolean }, indent: number) => string[]} */
function modulePhases(phases, options, indent) {
  const space = ' '.repeat(indent);
  return phasesIn(phases, options).flatMap(([name, drafts]) => {
    if (drafts.length === 0) return [`${space}${name}: [],`];
    const [only] = drafts;
    if (drafts.length === 1 && only.comments.length === 0 && only.disabled === undefined) {
      const line = `${space}${name}: [${printValue(only.operation, { indent, column: indent + name.length + 3, after: 2 })}],`;
      if (!line.includes('\n') && line.length <= WIDTH) return [line];
    }
    return [`${space}${name}: [`, ...drafts.flatMap((draft) => moduleOperation(draft, indent + 2)), `${space}],`];
  });
}

/** @type {(draft: OperationDraft, indent: number) => string[]} */
function moduleOperation({ operation, comments, disabled }, indent) {
  const space = ' '.repeat(indent);
  const head = [...comments, ...(disabled === undefined ? [] : [leftOut(disabled)])];
  const lines = head.flatMap((comment) => commentLines(comment, '//', indent));
  if (disabled === undefined) return [...lines, `${space}${printValue(operation, { indent })},`];
  const plain = `${printValue(operation)},`.split('\n');
  return [...lines, ...plain.map((line) => `${space}// ${line}`.trimEnd())];
}

/** @type {(reason: string) => string} */
function leftOut(reason) {
  return `Left out: ${reason}`;
}

/** @type {(draft: FlowDraft) => string} */
function writeYaml(draft) {
  const { comments, phases, scenarios } = draft;
  const lines = [
    ...comments.flatMap((comment) => commentLines(comment, '#', 0)),
    ...headOf(draft).flatMap(([key, value]) => yamlMember(key, value, 0)),
    ...yamlPhases(phases, { needsMain: scenarios === undefined }, 0),
    ...(scenarios
      ? [
          'scenarios:',
          ...Object.entries(scenarios).flatMap(([name, given]) => [
            // The members that follow are its value.
            ...yamlMember(name, null, 2).map((line) => line.replace(/ null$/, '')),
            ...settingsOf(given).flatMap(([key, value]) => yamlMember(key, value, 4)),
            ...yamlPhases(given, { needsMain: true }, 4),
          ]),
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** @type {(phases: Partial<DraftPhases>, options: { needsMain: boolean }, indent: number) => string[]} */
function yamlPhases(phases, options, indent) {
  const space = ' '.repeat(indent);
  return phasesIn(phases, options).flatMap(([name, drafts]) => {
    // A key with nothing but comments below it would have the value null.
    const isEmpty = drafts.every(({ disabled }) => disabled !== undefined);
    return [`${space}${name}:${isEmpty ? ' []' : ''}`, ...drafts.flatMap((draft) => yamlOperation(draft, indent + 2))];
  });
}

/** @type {(draft: OperationDraft, indent: number) => string[]} */
function yamlOperation({ operation, comments, disabled }, indent) {
  const space = ' '.repeat(indent);
  const head = [...comments, ...(disabled === undefined ? [] : [leftOut(disabled)])];
  const lines = head.flatMap((comment) => commentLines(comment, '#', indent));
  if (disabled === undefined) return [...lines, ...yamlItem(operation, indent)];
  return [...lines, ...yamlItem(operation, 0).map((line) => `${space}# ${line}`.trimEnd())];
}

/**
 * Wraps a comment. Line ends in the text of the source are escaped: what follows them would be code.
 * @type {(text: string, sign: string, indent: number) => string[]}
 */
function commentLines(text, sign, indent) {
  const start = `${' '.repeat(indent)}${sign} `;
  return wrapped(safe(text), 0, WIDTH - start.length)
    .split('\n')
    .map((line) => `${start}${line}`);
}

/** Columns of a line of JavaScript. */
const WIDTH = 100;
const STEP = 2;
/** Prettier breaks no line after a shorter key. */
const SHORTEST_BROKEN_KEY = 5;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** C0, C1, line separators, and the marks that turn the direction of text, or cannot be seen. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** @type {Record<string, string>} */
const NAMED = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Prints a value as a literal of JavaScript in the layout of Prettier: JSON values, undefined members left out, and
 * bytes as a Buffer. The lines after the first one are indented. `indent`: columns of the line on which it begins;
 * `column`: where it begins; `after`: characters that follow it on its last line.
 * @type {(value: unknown, place?: { indent?: number, column?: number, after?: number }) => string}
 */
function printValue(value, { indent = 0, column = indent, after = 1 } = {}) {
  const flat = flatText(value);
  if (flat !== null && column + flat.length + after <= WIDTH) return flat;
  const inner = ' '.repeat(indent + STEP);
  const close = `\n${' '.repeat(indent)}`;
  const item = { indent: indent + STEP, after: 1 };
  if (value instanceof Uint8Array)
    return `Buffer.from(\n${bytesParts(value)
      .map((part) => `${inner}${part},\n`)
      .join('')}${close.slice(1)})`;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (value.every((one) => typeof one === 'number')) return `[\n${filled(value.map(String), inner)}${close}]`;
    return `[\n${value.map((one) => `${inner}${printValue(one, item)},`).join('\n')}${close}]`;
  }
  if (value instanceof Code) return value.text;
  if (typeof value === 'object' && value !== null) {
    const lines = membersOf(value).map(([key, one]) => `${inner}${printMember(key, one, indent + STEP)},`);
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}${close}}`;
  }
  return printText(value);
}

/** A member of an object, such as `get: '/items'`. @type {(key: string, value: unknown, indent: number) => string} */
function printMember(key, value, indent) {
  const name = printKey(key);
  const column = indent + name.length + 2;
  const text = printValue(value, { indent, column });
  const isLongText = typeof value === 'string' && !text.includes('\n') && column + text.length + 1 > WIDTH;
  return isLongText && name.length >= SHORTEST_BROKEN_KEY
    ? `${name}:\n${' '.repeat(indent + STEP)}${text}`
    : `${name}: ${text}`;
}

/** Prints a value in one line; null if it has several. @type {(value: unknown) => string | null} */
function flatText(value) {
  if (value instanceof Uint8Array) return `Buffer.from(${bytesParts(value).join(', ')})`;
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) {
    if (isBroken(value)) return null;
    const items = value.map(flatText);
    return items.includes(null) ? null : `[${items.join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = [];
    for (const [key, one] of membersOf(value)) {
      const text = flatText(one);
      if (text === null) return null;
      members.push(`${printKey(key)}: ${text}`);
    }
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  const text = printText(value);
  return text.includes('\n') ? null : text;
}

/** Prettier breaks an array of several objects with several members each. @type {(items: unknown[]) => boolean} */
function isBroken(items) {
  const areArrays = items.every(Array.isArray);
  return (
    items.length > 1 &&
    (areArrays || items.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))) &&
    items.every((one) => !(one instanceof Uint8Array) && Object.keys(/** @type {object} */ (one)).length > 1)
  );
}

/** @type {(value: object) => [string, unknown][]} */
function membersOf(value) {
  return Object.entries(value).filter(([, one]) => one !== undefined);
}

/** @type {(words: string[], indent: string) => string} */
function filled(words, indent) {
  const lines = [indent];
  for (const word of words) {
    const last = lines[lines.length - 1];
    const text = last === indent ? `${last}${word},` : `${last} ${word},`;
    if (text.length > WIDTH && last !== indent) lines.push(`${indent}${word},`);
    else lines[lines.length - 1] = text;
  }
  return lines.join('\n');
}

/** @type {(bytes: Uint8Array) => string[]} the arguments of Buffer.from */
function bytesParts(bytes) {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  return isUtf8(buffer) && isPlainText(text) ? [quoted(text)] : [quoted(buffer.toString('base64')), "'base64'"];
}

/** @type {(key: string) => string} */
function printKey(key) {
  if (key === '__proto__') return "['__proto__']";
  return IDENTIFIER.test(key) ? key : quoted(key);
}

/** A control character that is neither a line end nor a tab. */
const CONTROL = /[^\P{Cc}\n\t]/u;

/** @type {(value: unknown) => string} */
function printText(value) {
  if (typeof value !== 'string') return String(value);
  const isLines = /[^\n]\n[^]*[^\n]/.test(value) && !CONTROL.test(value);
  return isLines ? template(value) : quoted(value);
}

/** Quotes a text, with the quotes that need fewer escapes. @type {(text: string) => string} */
export function quoted(text) {
  const quote = countOf("'", text) > countOf('"', text) ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  return `${quote}${escapeInvisible(escaped)}${quote}`;
}

/** @type {(text: string) => string} */
function template(text) {
  const escaped = text.replace(/[\\`]|\$(?=\{)/g, '\\$&');
  return `\`${escaped.split('\n').map(escapeInvisible).join('\n')}\``;
}

/** @type {(text: string) => string} */
function escapeInvisible(text) {
  const escape = (/** @type {string} */ char) =>
    NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(UNSAFE, escape).replace(LONE_SURROGATE, escape);
}

/** @type {(char: string, text: string) => number} */
function countOf(char, text) {
  return text.split(char).length - 1;
}

const OPTIONS = /** @type {const} */ ({ version: '1.2', schema: 'core', aliasDuplicateObjects: false });
const LAYOUT = /** @type {const} */ ({ lineWidth: 0, singleQuote: true });

/** Indented: `baseUrl: https://example.com`. @type {(key: string, value: unknown, indent: number) => string[]} */
function yamlMember(key, value, indent) {
  return indented(linesOf({ [key]: value }), indent);
}

/** Prints an item of a sequence, indented: `- get: /items`. @type {(value: unknown, indent: number) => string[]} */
function yamlItem(value, indent) {
  return indented(linesOf([value]), indent);
}

/** @type {(value: unknown) => string[]} */
function linesOf(value) {
  const document = new Document(value, OPTIONS);
  visit(document, {
    Scalar(_, node) {
      // Only a # at the beginning, or after a space, would begin a comment. All texts with tokens have quotes, so that
      // those who edit them need not know that.
      if (isScalar(node) && typeof node.value === 'string' && /#[{<]/.test(node.value) && !node.value.includes('\n'))
        node.type = 'QUOTE_SINGLE';
    },
  });
  return document.toString(LAYOUT).replace(/\n$/, '').split('\n');
}

/** @type {(lines: string[], indent: number) => string[]} */
function indented(lines, indent) {
  return lines.map((line) => (line === '' ? line : ' '.repeat(indent) + line));
}
