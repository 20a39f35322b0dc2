import { expect } from 'chai';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { proxiesOf } from '../../../lib/core/flow/origins.js';
import { proxySettings } from '../../../lib/core/http/proxy.js';

const namesOf = (flow, env) => {
  const proxies = proxySettings({}, env);
  return proxiesOf(readFlow(flow).compile({ proxies }), proxies).map(({ name }) => name);
};

describe('proxies of a flow', () => {
  const ENV = { HTTP_PROXY: 'http://p', HTTPS_PROXY: 'http://q', NO_PROXY: 'direct' };

  it('each proxy on the way to an origin of the flow is listed once', () => {
    expect(namesOf(['http://a/', 'http://b/', 'http://direct/'], ENV)).to.deep.equal(['http://p']);
    expect(namesOf(['http://a/', 'https://b/'], ENV)).to.deep.equal(['http://p', 'http://q']);
    expect(
      namesOf({ before: [{ get: 'http://direct/', proxy: 'http://own' }], main: ['http://direct/'] }, ENV),
    ).to.deep.equal(['http://own']);
  });

  it('a proxy of http: and https: URLs is listed once', () => {
    const one = { HTTP_PROXY: 'http://p' };
    expect(namesOf(['http://a/', 'https://b/'], one)).to.deep.equal(['http://p']);
    expect(namesOf(['http://a/', 'https://h#{INDEX}/'], one)).to.deep.equal(['http://p']);
  });

  it('proxies that are not needed are not listed', () => {
    expect(namesOf(['http://direct/', 'http://localhost/', 'unix:/s:/', { get: 'http://a/', proxy: null }], ENV)).to.be
      .empty;
  });

  it('if a token decides the host, the proxies of the run are listed', () =>
    expect(namesOf('http://h#{INDEX}/', ENV)).to.deep.equal(['http://p', 'http://q']));
});
