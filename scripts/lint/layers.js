import { dirname, relative, resolve, sep } from 'node:path';

/**
 * ESLint rule: a folder imports only the folders that the table lists for it, and the ground. Types obey it as code
 * does: `@import` and `import('…')` in comments, and the imports of a file of types.
 *
 * Options: the root folder, and the table of folders by name.
 */
export default {
  meta: {
    type: 'problem',
    schema: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'array' } }],
    messages: {
      forbidden: '{{from}} may not import {{to}}: see docs/internals/architecture.md',
      unknown: '{{from}} is not in the table of layers: add it to eslint.config.js',
    },
  },

  create({ filename, sourceCode, options: [root, layers], report }) {
    const from = folderOf(root, filename);

    const check = (name, place) => {
      if (typeof name !== 'string' || !name.startsWith('.')) return;
      const to = folderOf(root, resolve(dirname(filename), name));
      if (to === from || GROUND.includes(to)) return;
      if (!layers[from]?.includes(to)) report({ ...place, messageId: 'forbidden', data: { from, to } });
    };
    const checkNode = ({ source }) => source && check(source.value, { node: source });
    const checkText = (text, start, imports) => {
      for (const { index, 1: name } of text.matchAll(imports))
        check(name, { loc: sourceCode.getLocFromIndex(start + index) });
    };

    return {
      Program(node) {
        if (!(from in layers)) report({ node, messageId: 'unknown', data: { from } });
        if (filename.endsWith('.d.ts')) checkText(sourceCode.text, 0, IN_TYPES);
        else for (const { value, range } of sourceCode.getAllComments()) checkText(value, range[0] + 2, IN_COMMENT);
      },
      ImportDeclaration: checkNode,
      ImportExpression: checkNode,
      ExportNamedDeclaration: checkNode,
      ExportAllDeclaration: checkNode,
    };
  },
};

const IN_COMMENT = /(?:@import\b[^'@]*|\bimport\()'([^']+)'/g;
const IN_TYPES = /(?:\bfrom |\bimport\()'([^']+)'/g;

/** The folders that all folders may import. */
const GROUND = ['contracts', 'ground', 'http', 'process'];

/** @type {(root: string, path: string) => string} */
function folderOf(root, path) {
  const parts = relative(root, path).split(sep);
  return parts.length > 1 ? parts[0] : '.';
}
