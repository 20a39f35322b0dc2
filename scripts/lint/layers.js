import { dirname, relative, resolve, sep } from 'node:path';

/**
 * ESLint rule: a folder imports only the folders that the table lists for it, and the ground. Type imports in
 * comments are not checked.
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

  create({ filename, options: [root, layers], report }) {
    const from = folderOf(root, filename);

    const check = ({ source }) => {
      if (source?.type !== 'Literal' || !String(source.value).startsWith('.')) return;
      const to = folderOf(root, resolve(dirname(filename), source.value));
      if (to === from || GROUND.includes(to)) return;
      if (!layers[from]?.includes(to)) report({ node: source, messageId: 'forbidden', data: { from, to } });
    };

    return {
      Program(node) {
        if (!(from in layers)) report({ node, messageId: 'unknown', data: { from } });
      },
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** The folders that all folders may import. */
const GROUND = ['ground', 'http', 'process'];

/** @type {(root: string, path: string) => string} */
function folderOf(root, path) {
  const parts = relative(root, path).split(sep);
  return parts.length > 1 ? parts[0] : '.';
}
