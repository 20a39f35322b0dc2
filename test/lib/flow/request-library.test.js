import { expect } from 'chai';
import { readFileSync } from 'node:fs';

import { PROPERTIES } from '../../../lib/flow/properties.js';
import { answerOldOption } from '../../../lib/flow/request-library.js';

describe('flow/request-library', () => {
  for (const [name, answer] of [
    ['oauth', /^signs requests: do it in a before-hook/],
    ['agentOptions', /^an option of the old request library that is not supported: write its TLS options/],
    ['har', /write its method, url, headers and body as an operation, or pass a whole recording/],
    ['forever', /connections are kept alive/],
    ['withCredentials', /not supported: remove it$/],
  ])
    it(`answers ${name}`, () => expect(answerOldOption(name)).to.match(answer));

  it('answers every option that is not supported, and the guide to migration lists it', () => {
    const text = readFileSync(new URL('../../../docs/migrating-from-1.md', import.meta.url), 'utf8');
    const names =
      'oauth aws hawk httpSignature agent agentClass agentOptions baseUrl callback family forever ' +
      'followOriginalHttpMethod har jsonReplacer jsonReviver lookup pool postambleCRLF preambleCRLF ' +
      'proxyHeaderExclusiveList proxyHeaderWhiteList qsParseOptions qsStringifyOptions secureProtocol time timing ' +
      'useQuerystring withCredentials';
    for (const name of names.split(' ')) {
      expect(answerOldOption(name), name).to.be.a('string');
      expect(text).to.include(`\`${name}\``);
    }
  });

  it('has no answer to names that it does not know, and to those that are properties here', () => {
    for (const name of ['unknown', 'constructor', ...Object.keys(PROPERTIES)])
      expect(answerOldOption(name), name).to.equal(undefined);
  });
});
