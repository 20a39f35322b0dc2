/**
 * ESLint rule: comments are as wide as the code, which Prettier does not wrap. Option: the width.
 */
export default {
  meta: {
    type: 'layout',
    schema: [{ type: 'integer' }],
    messages: { wide: 'This line of a comment has {{length}} characters; wrap it at {{width}}.' },
  },

  create({ sourceCode, options: [width], report }) {
    return {
      Program() {
        for (const { loc } of sourceCode.getAllComments())
          for (let line = loc.start.line; line <= loc.end.line; line++) {
            const { length } = sourceCode.lines[line - 1];
            if (length > width) report({ loc: { line, column: width }, messageId: 'wide', data: { length, width } });
          }
      },
    };
  },
};
