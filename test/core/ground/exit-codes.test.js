import { expect } from 'chai';

import { ERRORS } from '../../../lib/core/ground/errors.js';
import { EXIT_CODES, describeReasons, exitCode, exitCodeRows, reasonOf } from '../../../lib/core/ground/exit-codes.js';
import { ascendingExitCodes } from '../../../lib/core/ground/exit-codes.js';

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
  'backlog',
  'cutOff',
  'unanswered',
  'precision',
  'undecided',
  'exists',
  'section',
];

describe('exit codes', () => {
  it('is 0 without a reason', () => expect(exitCode([])).to.equal(0));

  it('are ten, each with its meaning, and each reason has one of them', () => {
    expect(Object.keys(EXIT_CODES)).to.have.members(PRECEDENCE);
    const used = new Set(PRECEDENCE.map((reason) => EXIT_CODES[reason].code));
    expect(ascendingExitCodes().map(({ code }) => code)).to.deep.equal([0, ...used].sort((a, b) => a - b));
    expect(ascendingExitCodes()).to.have.lengthOf(10);
  });

  for (const [i, first] of PRECEDENCE.entries()) {
    for (const second of PRECEDENCE.slice(i)) {
      it(`${first} comes before ${second}`, () => expect(exitCode([second, first])).to.equal(EXIT_CODES[first].code));
    }
  }

  it('are described in the words of the command, and with those of all commands in the list', () => {
    expect(describeReasons(['threshold'], 'run')).to.equal('a threshold failed');
    expect(describeReasons(['threshold'], 'capacity')).to.match(/^a search found a capacity below /);
    expect(describeReasons(['dropped', 'regression'], 'history')).to.match(/history is worse; also: more than 1 %/);
    expect(exitCodeRows().find(({ about }) => about.startsWith('a threshold failed'))).to.deep.include({
      about: ['run', 'capacity'].map((command) => describeReasons(['threshold'], command)).join('; or '),
    });
  });

  it('have reasons of their own for a wrong command line, a wrong flow and a missing file', () => {
    const codes = ['E_USAGE', 'E_FLOW', 'E_NO_MAIN', 'E_FLOW_FILE', 'E_FILE_NOT_FOUND', undefined];
    expect(codes.map(reasonOf)).to.deep.equal(['usage', 'flow', 'flow', 'flow', 'notFound', 'internal']);
    for (const code of codes) if (code) expect(ERRORS).to.have.property(code);
  });
});
