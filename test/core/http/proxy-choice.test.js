import { expect } from 'chai';

import { createProxyChoice, proxySettings } from '../../../lib/core/http/proxy.js';

/** What a URL is reached by: the name of a proxy and where it is set, or null. */
function wayTo(url, options, env) {
  const proxy = createProxyChoice(proxySettings(options, env))(new URL(url));
  return proxy && `${proxy.name} of ${proxy.from}`;
}

describe('proxy-choice', () => {
  const rows = [
    [{}, 'http://a/', null],
    [{ http_proxy: 'http://p:1' }, 'http://a/', 'http://p:1 of http_proxy'],
    [{ HTTP_PROXY: 'http://p:1' }, 'http://a/', 'http://p:1 of HTTP_PROXY'],
    [{ http_proxy: 'http://p:1', HTTP_PROXY: 'http://q' }, 'http://a/', 'http://p:1 of http_proxy'],
    [{ http_proxy: '', HTTP_PROXY: 'http://q' }, 'http://a/', 'http://q of HTTP_PROXY'],
    [{ HTTPS_PROXY: 'http://p:1' }, 'http://a/', null],
    [{ HTTPS_PROXY: 'http://p:1' }, 'https://a/', 'http://p:1 of HTTPS_PROXY'],
    [{ HTTP_PROXY: 'http://p:1' }, 'https://a/', 'http://p:1 of HTTP_PROXY'],
    [{ HTTP_PROXY: 'http://p', https_proxy: 'http://q' }, 'https://a/', 'http://q of https_proxy'],
    [{ ALL_PROXY: 'http://p' }, 'http://a/', 'http://p of ALL_PROXY'],
    [{ all_proxy: 'http://p' }, 'https://a/', 'http://p of all_proxy'],
    [{ ALL_PROXY: 'http://p', HTTP_PROXY: 'http://q' }, 'https://a/', 'http://q of HTTP_PROXY'],
    [{ HTTP_PROXY: 'p:1', NO_PROXY: 'a' }, 'http://a/', null],
    [{ HTTP_PROXY: 'p:1', no_proxy: 'b', NO_PROXY: 'a' }, 'http://a/', 'http://p:1 of HTTP_PROXY'],
    [{ HTTP_PROXY: 'p:1', NO_PROXY: 'a:443' }, 'https://a/', null],
    [{ HTTP_PROXY: 'p:1', NO_PROXY: '::2' }, 'http://[::2]/', null],
    [{ HTTP_PROXY: 'p:1' }, 'http://localhost:8000/', null],
    [{ HTTP_PROXY: 'p:1' }, 'http://127.0.0.1/', null],
    [{ HTTP_PROXY: 'p:1' }, 'http://[::1]/', null],
    [{ HTTP_PROXY: 'p:1' }, 'http://10.0.0.1/', 'http://p:1 of HTTP_PROXY'],
  ];
  for (const [env, url, expected] of rows)
    it(`${JSON.stringify(env)}: ${url} by ${expected}`, () => expect(wayTo(url, {}, env)).to.equal(expected));

  const ENV = { HTTP_PROXY: 'http://env', NO_PROXY: 'a,b' };
  const ofOptions = [
    [{ proxy: 'http://own' }, 'http://c/', 'http://own of proxy', 'the option wins over the environment'],
    [{ proxy: 'http://own' }, 'https://c/', 'http://own of proxy', 'the option is for both schemes'],
    [{ proxy: 'http://own' }, 'http://a/', 'http://own of proxy', 'NO_PROXY does not limit the option'],
    [{ proxy: 'http://own' }, 'http://localhost/', 'http://own of proxy', 'the option is for this machine as well'],
    [{ proxy: 'http://own', noProxy: 'c' }, 'http://c/', null, 'noProxy limits the option'],
    [{ proxy: '' }, 'http://c/', null, 'an empty option switches the environment off'],
    [{ noProxy: '*' }, 'http://c/', null, 'noProxy * switches the environment off'],
    [{ noProxy: 'c' }, 'http://a/', 'http://env of HTTP_PROXY', 'noProxy replaces NO_PROXY'],
  ];
  for (const [options, url, expected, why] of ofOptions)
    it(why, () => expect(wayTo(url, options, ENV)).to.equal(expected));

  it('a malformed URL is a problem of its variable, and one of NO_PROXY is its own', () => {
    const problemOf = (env) => {
      const { from, problem } = createProxyChoice(proxySettings({}, env))(new URL('http://a/'));
      return `${from} ${problem}`;
    };
    expect(problemOf({ HTTP_PROXY: 'socks5://p' })).to.match(/^HTTP_PROXY is a SOCKS proxy/);
    expect(problemOf({ HTTP_PROXY: 'p', no_proxy: '1.1.1.1/99' })).to.match(/^no_proxy has the malformed entry/);
  });
});
