import { expect } from 'chai';

import { ERRORS } from '../../../lib/ground/errors.js';
import { EXIT_CODES, describeReasons, exitCode, exitCodeRows, reasonOf } from '../../../lib/ground/exit-codes.js';

const PRECEDENCE = [
  'internal',
  'usage',
  'notFound',
  'flow',
  'notWritten',
  'interrupted',
  'server',
  'agents',
  'threshold',
  'regression',
  'validity',
  'errors',
  'dropped',
  'cutOff',
  'unanswered',
  'precision',
  'exists',
  'section',
];

describe('cli/exit-codes', () => {
  it('is 0 without a reason', () => expect(exitCode([])).to.equal(0));

  it('are unique per reason', () => {
    expect(Object.keys(EXIT_CODES)).to.have.members(PRECEDENCE);
    expect(new Set(Object.values(EXIT_CODES).map(({ code }) => code)).size).to.equal(PRECEDENCE.length);
  });

  for (const [i, first] of PRECEDENCE.entries()) {
    for (const second of PRECEDENCE.slice(i)) {
      it(`${first} comes before ${second}`, () => expect(exitCode([second, first])).to.equal(EXIT_CODES[first].code));
    }
  }

  it('are described in the words of the command, and with those of all commands in the list', () => {
    expect(describeReasons(['threshold'], 'run')).to.equal('a threshold failed');
    expect(describeReasons(['threshold'], 'capacity')).to.match(/^a threshold failed; or a search /);
    expect(describeReasons(['dropped', 'regression'], 'history')).to.match(/history is worse; also: more than 1 %/);
    expect(exitCodeRows().find(({ code }) => code === 99)).to.deep.include({
      about: describeReasons(['threshold'], 'capacity'),
    });
  });

  it('differ for a wrong command line, a wrong flow and a missing file', () => {
    const codes = ['E_USAGE', 'E_TARGET', 'E_FLOW', 'E_NO_MAIN', 'E_FLOW_FILE', 'E_FILE_NOT_FOUND', undefined];
    expect(codes.map(reasonOf)).to.deep.equal(['usage', 'usage', 'flow', 'flow', 'flow', 'notFound', 'internal']);
    for (const code of codes) if (code) expect(ERRORS).to.have.property(code);
  });
});
