import { join, sep } from 'node:path';

import { expect } from 'chai';

import { describeRun } from '../../../../lib/cli/result/describe-run.js';

describe('cli/result/describe-run', () => {
  const folder = join(sep, 'home', 'jane', 'shop');
  const fromOf = (from) => describeRun({ plan: { options: {} }, from, hash: '' }, folder).flow.source;

  for (const [from, shown, why] of [
    [join(folder, 'bench', 'flow.js'), join('bench', 'flow.js'), 'a file is relative to the working directory'],
    [join(sep, 'home', 'joe', 'flow.js'), 'flow.js', 'a file outside has its name alone'],
    [join(folder, '..cart.js'), '..cart.js', 'two dots can begin a name'],
    ['http://localhost:8000/', 'http://localhost:8000/', 'a URL stays'],
    ['-e', '-e', 'the command line stays'],
    ['standard input', 'standard input', 'standard input stays'],
  ])
    it(why, () => expect(fromOf(from)).to.equal(shown));
});
