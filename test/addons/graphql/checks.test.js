import { expect } from 'chai';

import { compileChecks } from '../../../lib/core/flow/checks/index.js';
import { markTokens } from '../../../lib/core/flow/template.js';
import { createProblems } from '../../../lib/core/ground/problems.js';

describe('the check of errors of GraphQL', () => {
  it('expects nothing beside its name if it allows errors', () => {
    const problems = [];
    const mark = (text, path, place) => markTokens(text, { problems: createProblems('E_FLOW'), path, place });
    const complain = (key, text) => problems.push(`${key}: ${text}`);
    compileChecks({ expect: { name: 'x', graphql: 'allow-errors' } }, { where: 'flow.main[0]', mark, complain });
    expect(problems).to.have.lengthOf(1);
    expect(problems[0]).to.match(/^expect: expects nothing beside its name: add one of (?:(?!graphql).)*$/);
  });
});
