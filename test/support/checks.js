import { expect } from 'chai';

import { compileChecks } from '../../lib/core/flow/checks/index.js';
import { markTokens } from '../../lib/core/flow/template.js';
import { createProblems } from '../../lib/core/ground/problems.js';
import { ResponseReader } from '../../lib/core/iteration/response-reader.js';

export const context = {
  where: 'flow.main[0]',
  mark: (text, path, place) => markTokens(text, { problems: createProblems('E_FLOW'), path, place }),
  complain: () => {},
};

/** The checks of an expectation. */
export const compiled = (expectation) => compileChecks({ expect: expectation }, context);

/** What is wrong with an expectation. */
export function problemsOf(expectation) {
  const problems = [];
  const complain = (key, text) => problems.push(`${key}: ${text}`);
  compileChecks({ expect: expectation }, { ...context, complain });
  return problems;
}

/** What the only check of `expectation` says of a response in iteration 7. */
function checked(expectation, { status = 200, headers = {}, body = null, ms = 5 } = {}) {
  const { checks } = compiled(expectation);
  const received = new ResponseReader().hold(
    { statusCode: status, headers, body: body === null ? null : Buffer.from(body) },
    ms,
  );
  return checks[0].parts[0].check(received, { index: 7 });
}

/** Tests that responses pass. @param {[expectation: object, response: object][]} rows */
export function passing(rows) {
  for (const [expectation, response] of rows)
    it(`${show(expectation)} passes for ${JSON.stringify(response)}`, () =>
      expect(checked(expectation, response)).to.equal(null));
}

/** Tests that responses fail. @param {[expectation: object, response: object, expected: string, received: string][]} rows */
export function failing(rows) {
  for (const [expectation, response, expected, received] of rows)
    it(`${show(expectation)} fails for ${JSON.stringify(response).slice(0, 60)}`, () => {
      expect(checked(expectation, response)).to.deep.equal({ expected, received });
    });
}

/** Tests that expectations are refused. @param {[value: unknown, says: string | RegExp][]} rows */
export function refusing(rows) {
  for (const [value, says] of rows)
    it(`${show(value)} is refused with its place`, () => {
      const problems = problemsOf(value);
      expect(problems).to.have.lengthOf(1);
      if (says instanceof RegExp) expect(problems[0]).to.match(says);
      else expect(problems[0]).to.equal(says);
    });
}

export function show(value) {
  return JSON.stringify(value, (_, one) => (one instanceof RegExp ? String(one) : one));
}
