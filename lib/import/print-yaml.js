import { Document, isScalar, visit } from 'yaml';

const OPTIONS = /** @type {const} */ ({ version: '1.2', schema: 'core', aliasDuplicateObjects: false });
const LAYOUT = /** @type {const} */ ({ lineWidth: 0, singleQuote: true });

/**
 * Prints a member of a mapping, indented: `baseUrl: https://example.com`.
 * @type {(key: string, value: unknown, indent: number) => string[]}
 */
export function yamlMember(key, value, indent) {
  return indented(linesOf({ [key]: value }), indent);
}

/** Prints an item of a sequence, indented: `- get: /items`. @type {(value: unknown, indent: number) => string[]} */
export function yamlItem(value, indent) {
  return indented(linesOf([value]), indent);
}

/** @type {(value: unknown) => string[]} */
function linesOf(value) {
  const document = new Document(value, OPTIONS);
  visit(document, {
    Scalar(_, node) {
      // A token at the beginning of a plain text would be a comment.
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
