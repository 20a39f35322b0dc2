import { compileBody } from '../../lib/core/flow/bodies/index.js';
import { markTokens } from '../../lib/core/flow/template.js';
import { createProblems } from '../../lib/core/ground/problems.js';

/** Marks the tokens of a text of a flow. */
export const mark = (text, path) => markTokens(text, { problems: createProblems('E_FLOW'), path });

/** The body of iteration 7 as latin1, with the boundary as `B`, and the reported problems. */
export function readBody(operation, givenType, folder) {
  const said = [];
  const { contentType, content } = compileBody(operation, {
    mark,
    complain: (key, reason) => said.push(`${key}: ${reason}`),
    isJson: operation.json === true,
    givenType,
    folder,
    maxBytes: 1000,
  });
  const bytes = typeof content === 'function' ? content({ index: 7 }) : content;
  const boundary = contentType?.split('boundary=')[1];
  const body = bytes && Buffer.from(bytes).toString('latin1');
  return {
    body: boundary ? body.replaceAll(`--${boundary}`, 'B') : body,
    contentType: contentType?.split(';')[0] ?? null,
    isConstant: typeof content !== 'function',
    said,
  };
}
