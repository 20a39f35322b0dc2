import { expect } from 'chai';

import { OPTIONS } from '../../../lib/addons/request-library/options.js';
import { checkOperation } from '../../../lib/core/flow/operation.js';
import { PROPERTIES } from '../../../lib/core/flow/properties.js';
import { settleOperation } from '../../../lib/core/flow/settle-operation.js';
import { docUrl } from '../../../lib/core/ground/package.js';
import { createProblems } from '../../../lib/core/ground/problems.js';
import { compiledFlow } from '../../support/compiled-flow.js';

/** What becomes of an operation, and the keys that are ignored. */
function translated(operation) {
  const ignored = [];
  const rest = OPTIONS.replace(operation, (key) => void ignored.push(key));
  return { rest, ignored };
}

const anyPath = () => '/x';

describe('options of the request library', () => {
  for (const [name, answer] of [
    ['oauth', /^signs requests: do it in a before-hook/],
    ['har', /write its method, url, headers and body as an operation, or pass a whole recording/],
  ])
    it(`refuses ${name}`, () => expect(OPTIONS.refuse(name)).to.match(answer));

  it('refuses no other name', () => {
    for (const name of ['unknown', 'constructor', ...Object.keys(PROPERTIES)])
      expect(OPTIONS.refuse(name), name).to.equal(undefined);
  });

  it('an operation with a refused one has one problem with its remedy', () => {
    const problems = createProblems('E_FLOW');
    checkOperation({ get: '/', hawk: {} }, 'op', problems);
    const reason = `signs requests: do it in a before-hook, see ${docUrl('guide/hooks.md#sign-requests')}`;
    expect(problems.list).to.deep.equal([{ path: 'op.hawk', reason }]);
  });

  it('a flow with a refused one is refused', () =>
    expect(() => compiledFlow([{ get: 'http://h/', oauth: {} }]))
      .to.throw('flow.main[0].oauth: signs requests: do it in a before-hook')
      .that.includes({ code: 'E_FLOW' }));

  it('a refused one that is null is left out', () =>
    expect(settleOperation({ get: '/', oauth: null }, expect.fail)).to.deep.equal({ get: '/' }));

  it('ignores what has no effect on a request here', () => {
    const names =
      'agent agentClass callback family followOriginalHttpMethod forever jsonReplacer jsonReviver lookup pool ' +
      'proxyHeaderExclusiveList proxyHeaderWhiteList qsParseOptions qsStringifyOptions ' +
      'resolveWithFullResponse simple time timing useQuerystring withCredentials';
    const operation = Object.fromEntries(names.split(' ').map((name) => [name, {}]));
    expect(translated({ get: '/', ...operation })).to.deep.equal({ rest: { get: '/' }, ignored: names.split(' ') });
  });

  it('keeps what is ignored if hooks may read it', () => {
    const operation = { get: '', path: '/x', pool: {} };
    const ignored = [];
    expect(OPTIONS.replace(operation, (key) => void ignored.push(key), { keepsIgnored: true })).to.deep.equal(
      operation,
    );
    expect(ignored).to.deep.equal(['path', 'pool']);
  });

  for (const [what, given, rest, ignored = []] of [
    ['an operation without such options', { get: '/', own: 1 }, { get: '/', own: 1 }],
    [
      'TLS options of an agent become those of the operation, which win',
      { get: '/', ca: 'own', agentOptions: { ca: 'a', cert: 'c', rejectUnauthorized: false, maxSockets: 5 } },
      { get: '/', ca: 'own', cert: 'c', rejectUnauthorized: false },
      ['agentOptions.maxSockets'],
    ],
    ['no agent options', { get: '/', agentOptions: null }, { get: '/' }],
    ['agent options that are none', { get: '/', agentOptions: 'x' }, { get: '/' }, ['agentOptions']],
    [
      'a method of TLS is a version',
      { secureProtocol: 'TLSv1_2_method' },
      { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' },
    ],
    ['TLS 1.0', { agentOptions: { secureProtocol: 'TLSv1_method' } }, { minVersion: 'TLSv1', maxVersion: 'TLSv1' }],
    ['any version', { secureProtocol: 'SSLv23_method' }, {}, ['secureProtocol']],
    ['a base URL has one slash before the path', { get: '/x', baseUrl: 'http://a/b/' }, { get: 'http://a/b/x' }],
    ['a base URL without a path', { uri: '', baseUrl: 'http://a/b' }, { uri: 'http://a/b' }],
    ['a base URL is before the path of any method', { options: '/x', baseUrl: 'http://a' }, { options: 'http://a/x' }],
    ['a base URL that is a URL', { get: '/x', baseUrl: new URL('http://a') }, { get: 'http://a/x' }],
    ['a base URL that is none', { get: '/x', baseUrl: 5 }, { get: '/x' }, ['baseUrl']],
    ['an absolute URL has no base', { get: 'http://h/p', baseUrl: 'http://h' }, { get: 'http://h/p' }, ['baseUrl']],
    ['nor has one without a scheme', { get: '//h/p', baseUrl: 'http://h' }, { get: '//h/p' }, ['baseUrl']],
    ['nor has a computed URL', { get: anyPath, baseUrl: 'http://h' }, { get: anyPath }, ['baseUrl']],
    ['a URL in a query is no base', { get: '/?to=http://h', baseUrl: 'http://a' }, { get: 'http://a/?to=http://h' }],
    ['a parsed URL is its text', { put: { href: 'http://a/', host: 'a' } }, { put: 'http://a/' }],
    ['a jar is left out, and a boolean stays', { jar: {} }, {}, ['jar']],
    ['jar: false has a meaning', { jar: false }, { jar: false }],
    ['headers: null are none, json: false is none', { headers: null, json: false }, {}],
    [
      'the line ends around a multipart body are part of it, and a chunked one has a header',
      { multipart: { data: [{ body: 'x' }], chunked: true }, preambleCRLF: true, headers: { a: '1' } },
      {
        multipart: { data: [{ body: 'x' }], preambleCRLF: true, postambleCRLF: false },
        headers: { 'Transfer-Encoding': 'chunked', a: '1' },
      },
    ],
    [
      'the line ends around a list of parts',
      { multipart: [{ body: 'x' }], postambleCRLF: true },
      { multipart: { data: [{ body: 'x' }], preambleCRLF: false, postambleCRLF: true } },
    ],
    ['line ends without a multipart body have no effect', { get: '/', preambleCRLF: true }, { get: '/' }],
    ['a multipart body that is none is left to the check', { multipart: 5, preambleCRLF: true }, { multipart: 5 }],
    ['a number as text', { maxRedirects: '3' }, { maxRedirects: 3 }],
    ['what is no number is left to the check', { maxRedirects: '3x' }, { maxRedirects: '3x' }],
  ])
    it(what, () => expect(translated(given)).to.deep.equal({ rest, ignored }));

  it('an operation that has none is the same object, and one that has some is not changed', () => {
    const none = { get: '/' };
    expect(translated(none).rest).to.equal(none);
    const some = Object.freeze({ get: '/', pool: {} });
    expect(translated(some).rest).to.deep.equal({ get: '/' });
  });
});
