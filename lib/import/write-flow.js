import { isUtf8 } from 'node:buffer';

import { PHASES } from '../ground/phases.js';
import { wrapped } from '../text/format-value.js';
import { TOKEN } from '../text/mask.js';
import { safe } from '../text/safe.js';
import { flowOf, isPlainText, mapOperations, operationsOf, settingsOf, titleOf } from './draft.js';
import { WIDTH, printMember, printValue, yamlItem, yamlMember } from './print-value.js';

/** @import { DraftPhases, FlowDraft, OperationDraft } from '../contracts/import.js' */

/**
 * Writes a flow as a person would: the same draft gives the same text. JSON has no comments: {@link commentsOf} lists
 * them for the terminal.
 * @type {(draft: FlowDraft, format: 'mjs' | 'yaml' | 'json') => string}
 */
export function writeFlow(draft, format) {
  if (format === 'mjs') return writeModule(draft);
  const given = withoutBytes(draft);
  return format === 'json' ? `${JSON.stringify(flowOf(given), null, 2)}\n` : writeYaml(given);
}

/** The comments, and the operations written as comments: JSON has neither. @type {(draft: FlowDraft) => string[]} */
export function commentsOf(draft) {
  const ofOperations = operationsOf(withoutBytes(draft)).flatMap(({ operation, comments, disabled }) => [
    ...comments.map((comment) => `${titleOf(operation)}: ${comment}`),
    ...(disabled === undefined ? [] : [`${titleOf(operation)}: left out: ${disabled}`]),
  ]);
  return [...draft.comments, ...ofOperations].map(safe);
}

const NO_BYTES = 'its body is not text: write the flow as .mjs, which can have it';

/** YAML and JSON have no bytes; those that are text become text. @type {(draft: FlowDraft) => FlowDraft} */
function withoutBytes(draft) {
  return mapOperations(draft, (one) => {
    const { body } = one.operation;
    if (body instanceof Uint8Array && isUtf8(body)) {
      const text = Buffer.from(body).toString();
      if (isPlainText(text) && !TOKEN.test(text)) return { ...one, operation: { ...one.operation, body: text } };
    }
    return hasBytes(one.operation)
      ? { ...one, operation: withTexts(one.operation), disabled: one.disabled ?? NO_BYTES }
      : one;
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
    ...modulePhases(phases, scenarios === undefined, 2),
    ...(scenarios
      ? [
          '  scenarios: {',
          ...Object.entries(scenarios).flatMap(([name, given]) => [
            `    ${printMember(name, {}, 4).replace(/\{\}$/, '{')}`,
            ...settingsOf(given).map(([key, value]) => `      ${printMember(key, value, 6)},`),
            ...modulePhases(given, true, 6),
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

/** @type {(draft: FlowDraft) => [string, unknown][]} */
function headOf({ baseUrl, properties = {} }) {
  return [
    ...(baseUrl === undefined ? [] : [/** @type {[string, unknown]} */ (['baseUrl', baseUrl])]),
    ...Object.entries(properties),
  ];
}

/** @type {(phases: Partial<DraftPhases>, isWhole: boolean, indent: number) => string[]} */
function modulePhases(phases, isWhole, indent) {
  const space = ' '.repeat(indent);
  return phasesIn(phases, isWhole).flatMap(([name, drafts]) => {
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
  const text = `${printValue(operation, { indent: disabled === undefined ? indent : indent + 3 })},`;
  if (disabled === undefined) return [...lines, `${space}${text}`];
  const plain = `${printValue(operation)},`.split('\n');
  return [...lines, ...plain.map((line) => `${space}// ${line}`.trimEnd())];
}

/** @type {(reason: string) => string} */
function leftOut(reason) {
  return `Left out: ${reason}`;
}

/** @type {(phases: Partial<DraftPhases>, isWhole: boolean) => [string, OperationDraft[]][]} */
function phasesIn(phases, isWhole) {
  return PHASES.flatMap((name) => {
    const drafts = phases[name] ?? [];
    return drafts.length > 0 || (isWhole && name === 'main')
      ? [/** @type {[string, OperationDraft[]]} */ ([name, drafts])]
      : [];
  });
}

/** @type {(draft: FlowDraft) => string} */
function writeYaml(draft) {
  const { comments, phases, scenarios } = draft;
  const lines = [
    ...comments.flatMap((comment) => commentLines(comment, '#', 0)),
    ...headOf(draft).flatMap(([key, value]) => yamlMember(key, value, 0)),
    ...yamlPhases(phases, scenarios === undefined, 0),
    ...(scenarios
      ? [
          'scenarios:',
          ...Object.entries(scenarios).flatMap(([name, given]) => [
            ...yamlMember(name, null, 2).map((line) => line.replace(/ null$/, '')),
            ...settingsOf(given).flatMap(([key, value]) => yamlMember(key, value, 4)),
            ...yamlPhases(given, true, 4),
          ]),
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** @type {(phases: Partial<DraftPhases>, isWhole: boolean, indent: number) => string[]} */
function yamlPhases(phases, isWhole, indent) {
  const space = ' '.repeat(indent);
  return phasesIn(phases, isWhole).flatMap(([name, drafts]) => {
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

/** A comment has no line ends of the source. @type {(text: string, sign: string, indent: number) => string[]} */
function commentLines(text, sign, indent) {
  const start = `${' '.repeat(indent)}${sign} `;
  return wrapped(safe(text), 0, WIDTH - start.length)
    .split('\n')
    .map((line) => `${start}${line}`);
}
