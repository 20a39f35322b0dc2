import { expect } from 'chai';

import { createProblems } from '../../../../lib/core/ground/problems.js';
import { COMMAND_LINE, inWordsOfFlags } from '../../../../lib/core/run/options/names.js';

/** The error of these problems. @type {(problems: any[][], code?: string) => any} */
function errorOf(problems, code = 'E_RUN_OPTIONS') {
  const all = createProblems(code);
  for (const problem of problems) all.add(...problem);
  try {
    all.throwIfAny();
  } catch (error) {
    return error;
  }
  throw new Error('no problems');
}

const worded = (problems, options, code) =>
  inWordsOfFlags(errorOf(problems, code), [
    { name: 'PORT in the environment', options: { baseUrl: 'x' } },
    { name: COMMAND_LINE, options },
  ]).message;

describe('words of flags', () => {
  for (const [what, problem, options, message] of [
    ['an option of the command line', ['runOptions.workers', 'too many'], { workers: 9 }, '-w, --workers: too many'],
    ['an option of a flow', ['runOptions.workers', 'too many'], {}, 'runOptions.workers: too many'],
    ['one of several values', ['thresholds[0]', 'unknown'], { thresholds: ['p'] }, '--threshold: unknown'],
    ['a header', ['headers.a', 'unknown'], { headers: { a: 1 } }, '-H, --header.a: unknown'],
    ['an option of another layer', ['baseUrl', 'no URL'], {}, 'baseUrl: no URL'],
    [
      'an option that the reason names',
      ['runOptions.workers', '9 workers, got limit 4', ['limit']],
      { workers: 9 },
      '-w, --workers: 9 workers, got -c 4',
    ],
    [
      'an option whose name is a plain word before',
      ['runOptions.maxBacklog', 'needs an arrival rate: set rate or stages', ['rate', 'stages']],
      { maxBacklog: 9 },
      '--max-backlog: needs an arrival rate: set -r or --stage',
    ],
    [
      'two options that exclude each other',
      ['runOptions', 'forever and iterations exclude each other', ['forever', 'iterations']],
      { forever: true, iterations: 1 },
      'command line: --forever and -n exclude each other',
    ],
    [
      'an option that excludes one of the flow',
      ['runOptions', 'forever and iterations exclude each other', ['forever', 'iterations']],
      { iterations: 1 },
      'command line: forever and -n exclude each other',
    ],
  ])
    it(`names ${what}`, () => expect(worded([problem], options)).to.equal(message));

  for (const [what, problem, message] of [
    ['an option', ['flow.scenarios./b.load.limit', 'too many'], '-c, --concurrency of /b: too many'],
    [
      'its start',
      ['flow.scenarios./b 2.startAfter', 'no name of a scenario: the scenarios are /scenario, /b'],
      '--start-after of /b 2: no name of a load: the loads are /scenario, /b',
    ],
    ['its URL', ['flow.scenarios./b.json.main[0].get', 'no token'], 'the load /b.json: no token'],
    [
      'options that exclude each other',
      ['flow.scenarios./b.load', 'stages and rate cannot be combined', ['stages', 'rate']],
      'the load /b: --stage and -r cannot be combined',
    ],
    ['the run', ['runOptions', 'no load has an end'], 'command line: no load has an end'],
  ])
    it(`names ${what} of a load that the command line joins by +`, () => {
      const options = { hasLoads: true };
      expect(inWordsOfFlags(errorOf([problem]), [{ name: COMMAND_LINE, options: {} }], options).message).to.equal(
        message,
      );
    });

  it('keeps the other problems, their order and the code', () => {
    const error = errorOf(
      [
        ['baseUrl', 'no URL'],
        ['flow.main[0].get', 'no URL'],
      ],
      'E_FLOW',
    );
    const rewritten = inWordsOfFlags(error, [{ name: COMMAND_LINE, options: { baseUrl: 'x' } }]);
    expect(rewritten.message).to.equal('--base-url: no URL\nflow.main[0].get: no URL');
    expect(rewritten.code).to.equal('E_FLOW');
  });

  it('returns other errors as they are', () => {
    for (const error of [new Error('x'), undefined, errorOf([['a', 'b']], 'E_CONFIG')])
      expect(inWordsOfFlags(error, [{ name: COMMAND_LINE, options: {} }])).to.equal(error);
  });
});
