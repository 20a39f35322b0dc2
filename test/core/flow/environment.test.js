import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { createEnvironment, readVariables } from '../../../lib/core/flow/arguments.js';
import { maskText } from '../../../lib/core/text/mask.js';

describe('flow/arguments: the environment', () => {
  it('a variable of the process wins over one of a file', () => {
    const { valueOf, names } = createEnvironment({ A: 'w7-file', B: 'w7-other' }, { A: 'w7-process' });
    expect([valueOf('A'), valueOf('B'), valueOf('C')]).to.deep.equal(['w7-process', 'w7-other', undefined]);
    expect(names()).to.include.members(['A', 'B']);
  });

  it('inherited names are no variables', () =>
    expect(createEnvironment({}, {}).valueOf('constructor')).to.equal(undefined));

  it('a value that was read is hidden from then on', () => {
    createEnvironment({ KEY: 'not-shown-1', OTHER: 'shown-1' }, {}).valueOf('KEY');
    expect(maskText('not-shown-1 shown-1')).to.equal('*** shown-1');
  });

  it('files have lines NAME=value, comments and quotes; later ones win', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      const paths = ['a.env', 'b.env'].map((name) => join(folder, name));
      writeFileSync(paths[0], '# comment\nA=1\nB="two words" # comment\nexport C=3\r\n');
      writeFileSync(paths[1], 'A=4\n__proto__=x\n');
      expect(readVariables(paths, expect.fail)).to.include({ A: '4', B: 'two words', C: '3' });
      expect({}.x).to.equal(undefined);
      const reasons = [];
      expect(readVariables([join(folder, 'none'), folder], (reason) => reasons.push(reason))).to.deep.equal({});
      expect(reasons[0]).to.match(/none does not exist; check the path/);
      expect(reasons[1]).to.match(/is a directory/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
