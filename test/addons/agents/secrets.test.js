import { expect } from 'chai';

import { createProblems } from '../../../lib/core/ground/problems.js';
import { allTextsIn, refuseSecrets } from '../../../lib/addons/agents/secrets.js';

describe('A16 X66 X68 shard/secrets', () => {
  const refused = (flow) => {
    const problems = createProblems('E_NOT_SENT');
    refuseSecrets(flow, problems);
    return problems.list.map(({ path }) => path);
  };
  const operation = (properties) => ({ main: [{ get: 'http://a/', ...properties }] });

  for (const [what, properties, path] of [
    ['a password', { auth: { user: 'me', pass: 'x' } }, 'auth.pass'],
    [
      'a key of AWS',
      { aws: { accessKeyId: '#{env.ID}', secretAccessKey: 'x', region: 'r', service: 's3' } },
      'aws.secretAccessKey',
    ],
    ['a bearer token', { auth: { bearer: 'x' } }, 'auth.bearer'],
    ['an Authorization field', { headers: { Authorization: 'Bearer abc' } }, 'headers.Authorization'],
    ['one of several values', { headers: { 'x-api-key': ['#{env.KEY}', 'abc'] } }, 'headers.x-api-key[1]'],
    ['a cookie', { cookies: { id: '5' } }, 'cookies.id'],
    ['a passphrase', { passphrase: 'x' }, 'passphrase'],
    ['a private key', { key: '-----BEGIN RSA PRIVATE KEY-----\n' }, 'key'],
    ['a URL with a password', { get: 'http://me:x@a/' }, 'get'],
    ['a URL with a key', { get: 'http://a/?api_key=x' }, 'get'],
    ['a path with a key', { get: '/a?X-Amz-Signature=x' }, 'get'],
    ['a query with a key', { qs: { key: 'x' } }, 'qs.key'],
    ['a field by its parts', { headers: { 'X-Goog-Api-Key': 'x' } }, 'headers.X-Goog-Api-Key'],
    ['a proxy with a password', { proxy: 'http://me:x@proxy/' }, 'proxy'],
    ['a proxy with a password and without a scheme', { proxy: 'me:x@proxy:3128' }, 'proxy'],
    ['a field by its value', { headers: { 'X-Own': 'Bearer abcd' } }, 'headers.X-Own'],
    ['a key beside a token', { get: 'http://a/?api_key=x&i=#{INDEX}' }, 'get'],
    ['a key after a token', { get: '#{base}/a?api_key=x' }, 'get'],
    ['a password beside a token', { get: 'http://me:x@a/#{INDEX}' }, 'get'],
    ['a cookie beside a token', { headers: { cookie: 'session=x; trace=#{INDEX}' } }, 'headers.cookie'],
  ])
    it(`refuses ${what}`, () => {
      expect(refused(operation(properties))).to.deep.equal([`flow.main[0].${path}`]);
    });

  it('refuses a variable with the name of a secret', () => {
    expect(refused({ vars: { password: 'x', color: 'red' }, main: [] })).to.deep.equal(['flow.vars.password']);
  });

  it('names the remedy', () => {
    const problems = createProblems('E_NOT_SENT');
    refuseSecrets(operation({ auth: { bearer: 'x' } }), problems);
    expect(problems.list[0].reason).to.equal(
      'a password is not sent to agents: write #{env.NAME}, and set the variable in the environment of each agent',
    );
  });

  for (const [what, properties] of [
    ['a token of the environment', { headers: { authorization: 'Bearer #{env.TOKEN}' }, auth: { pass: '#<env.P>' } }],
    ['a captured value', { headers: { authorization: 'Bearer #{token}' } }],
    ['a number beside a token', { headers: { 'x-session-id': 'user-#{INDEX}' } }],
    ['a user whose password is a token', { get: 'http://me:#{env.P}@a/#{INDEX}', proxy: 'me:#{env.P}@proxy' }],
    ['tokens in a query and a cookie', { get: '/?key=#{env.K}&a=1', headers: { cookie: 'a=1; sid=#{env.S}' } }],
    ['other fields', { headers: { accept: '*/*' } }],
    ['test data in a body', { body: { password: 'x', auth: { pass: 'x' } } }],
    ['test data in a form', { formData: { password: 'x' } }],
    ['a URL with an @ in its path', { get: 'http://a/me:x@b' }],
    ['a user without a password in the path', { auth: { user: 'me' } }],
  ])
    it(`allows ${what}`, () => {
      expect(refused(operation(properties))).to.deep.equal([]);
    });

  it('a flow that contains itself has an end', () => {
    const flow = { main: [] };
    flow.flow = flow;
    expect([...allTextsIn(flow)]).to.deep.equal([]);
  });
});
