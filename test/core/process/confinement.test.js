import { expect } from 'chai';

import { createEndpoints } from '../../../lib/core/http/endpoint.js';
import { parseProxy } from '../../../lib/core/http/proxy.js';
import {
  confine,
  hasTargets,
  isTarget,
  mayReadVariable,
  refusedTarget,
} from '../../../lib/core/process/confinement.js';

const rules = { folder: '/tmp/none', isClosed: true, files: [], variables: [], targets: null };
const allow = (...targets) => confine({ ...rules, targets });

describe('confinement', () => {
  afterEach(() => confine(undefined));

  for (const text of ['api.test:443', '*.test:*', '*:80', '[::1]:8080', '127.0.0.1:80', 'localhost:0'])
    it(`${text} is a target`, () => expect(isTarget(text)).to.equal(true));
  for (const text of [
    'api.test',
    'http://api.test:80',
    'api.test:http',
    'a b:80',
    ':80',
    '',
    '*x.test:80',
    'a:99999',
    'a:80/x',
  ])
    it(`${JSON.stringify(text)} is no target`, () => expect(isTarget(text)).to.equal(false));

  it('all targets and variables are allowed without a flow from elsewhere', () => {
    expect([hasTargets(), refusedTarget('a.test', 80), mayReadVariable('HOME')]).to.deep.equal([false, null, true]);
  });

  it('A63 only named variables are allowed', () => {
    confine({ ...rules, variables: ['TOKEN'] });
    expect([mayReadVariable('TOKEN'), mayReadVariable('HOME')]).to.deep.equal([true, false]);
  });

  for (const [target, hostname, port, isAllowed] of [
    ['api.test:443', 'api.test', 443, true],
    ['API.test:443', 'api.test', 443, true],
    ['api.test:443', 'api.test', 80, false],
    ['api.test:443', 'xapi.test', 443, false],
    ['api.test:443', 'api.test.', 443, false],
    ['*.test:443', 'api.test', 443, true],
    ['*.test:443', 'a.b.test', 443, true],
    ['*.test:443', 'test', 443, false],
    ['*.test:443', 'atest', 443, false],
    ['api.test:*', 'api.test', 1, true],
    ['*:80', '127.0.0.1', 80, true],
    ['127.0.0.1:80', 'localhost', 80, false],
    ['[::1]:80', '::1', 80, true],
    ['[0::1]:80', '::1', 80, true],
    ['bücher.test:80', 'xn--bcher-kva.test', 80, true],
    ['*.bücher.test:80', 'a.xn--bcher-kva.test', 80, true],
  ])
    it(`A64 ${target} ${isAllowed ? 'allows' : 'refuses'} ${hostname} with port ${port}`, () => {
      allow(target);
      expect(refusedTarget(hostname, port) === null).to.equal(isAllowed);
    });

  it('a run allows no more targets than the process', () => {
    allow('a.test:80', 'b.test:80');
    const refused = (ofRun) => ['a.test', 'b.test', 'c.test'].map((name) => refusedTarget(name, 80, ofRun));
    expect(refused(undefined)).to.deep.equal([null, null, 'c.test:80']);
    expect(refused(['*.test:80'])).to.deep.equal([null, null, 'c.test:80']);
    expect(refused(['b.test:80', 'c.test:80'])).to.deep.equal(['a.test:80', null, 'c.test:80']);
  });

  describe('A64 no endpoint leads elsewhere', () => {
    const endpointOf = createEndpoints();
    const refusal = (url, way) => {
      try {
        endpointOf(new URL(url), {}, way);
      } catch (error) {
        return error;
      }
      return null;
    };
    beforeEach(() => allow('api.test:80', 'api.test:443'));

    for (const url of ['http://api.test/', 'https://api.test/', 'ws://api.test/', 'http://API.TEST:80/'])
      it(`${url} is reached`, () => expect(refusal(url)).to.equal(null));

    for (const [url, target] of [
      ['http://other.test/', 'other.test:80'],
      ['wss://other.test/', 'other.test:443'],
      ['http://api.test:8080/', 'api.test:8080'],
      ['http://api.test@other.test/', 'other.test:80'],
      ['http://0x7f.1/', '127.0.0.1:80'],
      ['http://[::ffff:7f00:1]/', '[::ffff:7f00:1]:80'],
    ])
      it(`${url} is refused, with the remedy`, () => {
        const { code, message } = refusal(url);
        expect(code).to.equal('E_TARGET_REFUSED');
        expect(message).to.equal(
          `${target} is not among the targets that flows may send to here; allow it by --allow-target ${target} of the command that runs the flow`,
        );
      });

    it('a proxy has to be allowed, too', () => {
      const proxy = parseProxy('http://proxy.test:3128');
      expect(refusal('http://api.test/', { proxy }).message).to.include('proxy.test:3128');
      allow('api.test:80', 'proxy.test:3128');
      expect(refusal('http://api.test/', { proxy })).to.equal(null);
    });

    it('no unix socket is a target', () => {
      confine({ ...rules, isClosed: false, targets: ['api.test:80'] });
      expect(refusal('http://api.test/', { socketPath: '/run/x.sock' }).message).to.include('/run/x.sock');
    });
  });
});
