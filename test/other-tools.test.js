import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { normalizeArguments } from '../lib/cli/normalize-arguments.js';
import { createProgram } from '../lib/cli/options.js';
import { RUN_OPTIONS } from '../lib/run/options/index.js';
import { explainName } from '../lib/run/options/names.js';

const text = readFileSync(new URL('../docs/reference/coming-from.md', import.meta.url), 'utf8');
const section = (name) => new RegExp(`^## ${name}\n([^]*?)(^## |(?![^]))`, 'm').exec(text)?.[1] ?? '';
const program = createProgram({ version: '', env: {}, submit() {} });

/** By tool: the flags and the options of programs in its documentation. */
const TOOLS = {
  autocannon: {
    flags:
      'c connections p pipelining d duration a amount L sampleInt S socketPath w workers W warmup on-port m method t timeout ' +
      'T title b body F form i input H headers har B bailout M maxConnectionRequests O maxOverallRequests r connectionRate ' +
      'R overallRate C ignoreCoordinatedOmission D reconnectRate no-progress l latency I idReplacement j json f forever ' +
      's servername x excludeErrorStats E expectBody renderStatusCodes cert key ca debug v version V verbose h help',
    options:
      'url socketPath workers connections duration amount sampleInt timeout pipelining bailout method title body form ' +
      'headers initialContext setupClient verifyBody maxConnectionRequests maxOverallRequests connectionRate overallRate ' +
      'ignoreCoordinatedOmission reconnectRate requests idReplacement forever servername excludeErrorStats expectBody ' +
      'tlsOptions skipAggregateResult har warmup debug setupRequest onResponse renderStatusCodes',
  },
};

for (const [tool, { flags, options }] of Object.entries(TOOLS)) {
  describe(`names of ${tool}`, () => {
    const flagNames = flags.split(' ').map((name) => (name.length === 1 ? `-${name}` : `--${name}`));

    const problemsOf = (flag) => normalizeArguments([flag, 'value'], program).problems;

    it('each flag is one of ours, or is answered with what to write', () => {
      const unknown = flagNames.filter((flag) => problemsOf(flag).some((problem) => /^unknown option/.test(problem)));
      expect(unknown).to.deep.equal([]);
    });

    it('each run option is one of ours, or is answered with what to write', () => {
      const ours = new Set(RUN_OPTIONS.map(({ name }) => name));
      const unknown = options.split(' ').filter((name) => !ours.has(name) && !explainName(name, 'option'));
      expect(unknown).to.deep.equal([]);
    });

    it('the documents name each of them, unless it is the same here', () => {
      const isOption = new Set(RUN_OPTIONS.map(({ name }) => name));
      const names = [
        ...flagNames.filter((flag) => problemsOf(flag).length > 0),
        ...options.split(' ').filter((name) => !isOption.has(name)),
      ];
      expect(names.filter((name) => !section(tool).includes(name))).to.deep.equal([]);
    });
  });
}
