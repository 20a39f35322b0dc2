import { expect } from 'chai';

import { createProblems } from '../../../../lib/core/ground/problems.js';
import { explainName, explainProperty, refuseOption, refuseUnlessOwn } from '../../../../lib/core/run/options/names.js';

describe('names of options that are unknown', () => {
  const rows = [
    ['vus', 'flag', "k6's --vus is -c, --concurrency here"],
    ['maxRequests', 'option', undefined],
    ['maxSeconds', 'option', /^loadtest's maxSeconds is duration here/],
    ['agentKeepAlive', 'option', /^loadtest's agentKeepAlive is not an option here: connections are always kept alive/],
    ['keepalive', 'flag', '--keepalive is --keep-alive here'],
    ['k', 'option', undefined],
    ['Y', 'flag', undefined],
    ['head', 'option', undefined],
    ['head', 'flag', "curl's --head is not an option here: write -m HEAD"],
    ['4', 'flag', "curl's -4 is --ipv4 here"],
    ['method', 'option', /^method of .* is not an option here: it is a property of the operation: /],
    ['method', 'flag', undefined],
    ['url', 'option', /^url of .* is not an option here: the URL is the flow: /],
    ['debug', 'option', /^autocannon's debug is not an option here: trace: /],
    ['j', 'flag', '-j of autocannon and oha is --json here'],
    ['no-progress', 'flag', "autocannon's --no-progress is -d, --progress here, 0 for none"],
    ['concurrency', 'option', 'concurrency is limit here'],
    ['max-overall-requests', 'option', "autocannon's max-overall-requests is maxRequests here"],
    ['limit', 'flag', '--limit is -c, --concurrency here'],
    ['warm-up', 'flag', '--warm-up is -W, --warmup here'],
    ['iteratons', 'flag', undefined],
    ['toString', 'option', undefined],
    ['file', 'option', /write -b @file, or body: { file }/],
    ['rejectUnauthorized', 'option', /^there is no rejectUnauthorized: .*insecure: true/],
    ['strictSSL', 'option', /^there is no strictSSL: .*insecure: true/],
    ['strict-ssl', 'flag', /^there is no --strict-ssl: .*--insecure/],
    ['agentOptions', 'option', /^there is no agentOptions: .*insecure: true/],
    ['percent', 'option', /it is an option of the embedded target/],
  ];
  for (const [name, kind, text] of rows) {
    it(`${kind} ${name}`, () => {
      if (text instanceof RegExp) expect(explainName(name, kind)).to.match(text);
      else expect(explainName(name, kind)).to.equal(text);
    });
  }

  for (const [name, about] of [
    ['expectBody', "write expect: { body: 'text' }"],
    ['contentType', /^write headers: /],
    ['maxRequests', 'it is a run option: write it in runOptions'],
    ['concurrency', 'it is the run option limit here: write it in runOptions'],
    ['title', 'it is a run option: write it in runOptions'],
    ['maxOverallRequests', "autocannon's maxOverallRequests is maxRequests here, a run option: write it in runOptions"],
    ['pool', undefined],
    ['method-of-mine', undefined],
    ['error', undefined],
  ])
    it(`property ${name} of an operation`, () => {
      const own = { path: `flow.main[0].${name}`, reason: 'unknown property' };
      const explained = explainProperty(own);
      if (about instanceof RegExp) expect(explained.about).to.match(about);
      else expect(explained.about).to.equal(about);
      expect(explained.reason).to.equal(about === undefined ? own.reason : `unknown property: ${explained.about}`);
    });

  it('the options of the request library for TLS are ignored in a program, as in 1.2.4, with the name insecure', () => {
    const problems = createProblems('E_RUN_OPTIONS');
    const names = ['rejectUnauthorized', 'strictSSL', 'agentOptions'];
    for (const name of names) refuseUnlessOwn(name, ['insecure'], { path: name, problems });
    expect(problems.list).to.deep.equal([]);
    expect(problems.own.map(({ path }) => path)).to.deep.equal(names);
    for (const { about } of problems.own) expect(about).to.include('insecure: true');
  });

  it('an unknown option is reported with its name here, or with the nearest name', () => {
    const problems = createProblems('E_RUN_OPTIONS');
    for (const name of ['amount', 'limti']) refuseOption(name, ['limit'], { path: name, problems });
    expect(problems.list.map(({ reason }) => reason)).to.deep.equal([
      "autocannon's amount is iterations here",
      'unknown option, did you mean limit?',
    ]);
  });
});
