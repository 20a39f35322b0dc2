import { expect } from 'chai';

import { compileJsonPath } from '../../../lib/core/flow/json-path.js';
import { draftOf, flowOf, jsonPathOf, newDraft, relativeToBase } from '../../../lib/addons/import/draft.js';
import { variableName } from '../../../lib/addons/import/environment-names.js';
import { hiddenInCommand, hiddenInScript } from '../../../lib/addons/import/secret-texts.js';
import { replaceSecrets } from '../../../lib/addons/import/secrets.js';
import { itSlow } from '../../support/slow.js';

/** @type {(operation: Record<string, any>, parts?: object) => any} */
function draftWith(operation, parts = {}) {
  const draft = newDraft({ isSettled: true, ...parts });
  draft.phases.main.push(draftOf(operation));
  return draft;
}

/** Characters above 0x7f are no UTF-8. @type {(text: string) => Uint8Array} */
const bytes = (text) => new Uint8Array(Buffer.from(text, 'latin1'));
const MASKED = 'The secrets in its bytes are ***, as bytes have no tokens: write them, or use --keep-secrets.';

describe('import/secrets', () => {
  it('a secret that is the name of its variable is not replaced in tokens', () => {
    const form = { client_id: 'a1', client_secret: 'CLIENT_SECRET', access_token: 'ACCESS_TOKEN' };
    const { phases } = replaceSecrets(draftWith({ post: '/ACCESS_TOKEN', form, body: 'client_secret=CLIENT_SECRET' }));
    expect(phases.main[0].operation).to.deep.equal({
      post: '/#{env.ACCESS_TOKEN}',
      form: { client_id: 'a1', client_secret: '#{env.CLIENT_SECRET}', access_token: '#{env.ACCESS_TOKEN}' },
      body: 'client_secret=#{env.CLIENT_SECRET}',
    });
  });

  it('a variable is secret if a query has it as the key of a service, or another secret variable is made of it', () => {
    const draft = draftWith(
      { get: '/x?appid=#{weather}&q=1', headers: { authorization: '#{hdr}' } },
      { properties: { vars: { raw: 'Zx81-77', weather: 'plain-1', hdr: 'Bearer #{raw}', other: 'b' } } },
    );
    draft.phases.main[0].secrets = ['appid'];
    const { phases, properties } = replaceSecrets(draft);
    expect(phases.main[0].operation.get).to.equal('/x?appid=#{weather}&q=1');
    expect(properties.vars).to.deep.equal({
      raw: '#{env.RAW}',
      weather: '#{env.WEATHER}',
      hdr: 'Bearer #{raw}',
      other: 'b',
    });
  });

  it('a member of a cookie with spaces is read from the environment', () => {
    const prefs = '{"theme": "dark", "token": "abc123def456"}';
    const { phases } = replaceSecrets(draftWith({ get: '/', cookies: { prefs } }));
    expect(phases.main[0].operation.cookies.prefs).to.equal('{"theme": "dark", "token": "#{env.TOKEN}"}');
  });

  it('a secret in the text of a form is percent-encoded, and its description says so', () => {
    const { phases, environment } = replaceSecrets(draftWith({ post: '/x', form: 'a=1&a=2&password=p%26q' }));
    expect(phases.main[0].operation.form).to.equal('a=1&a=2&password=#{env.PASSWORD}');
    expect(environment).to.deep.equal([{ name: 'PASSWORD', of: 'password of POST /x, percent-encoded' }]);
  });

  it('the reason for leaving out an operation hides its secrets', () => {
    const draft = newDraft({ isSettled: true });
    const id = 'a8F3kQ9z-bX71mPq4Rt';
    draft.phases.main.push(draftOf({ get: `/reset/${id}` }, [], `its value ${id} is in GET /reset/${id}`));
    const { phases } = replaceSecrets(draft);
    expect(phases.main[0].disabled).to.equal('its value … is in GET /reset/…');
  });

  it('a feeder without rows has no secrets', () => {
    const data = { token: { rows: [] } };
    const draft = draftWith({ get: '/', auth: { bearer: '#{token.value}' } }, { properties: { data } });
    expect(replaceSecrets(draft).properties.data).to.deep.equal(data);
  });

  const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----';
  for (const [title, text, expected] of [
    ['a member of XML', '<x><password>geheim1</password></x>', '<x><password>#{env.PASSWORD}</password></x>'],
    ['an argument of GraphQL', '{ login(password: "geheim1") }', '{ login(password: "#{env.PASSWORD}") }'],
    [
      'an argument of GraphQL in JSON',
      '{"query":"{ login(password: \\"geheim1\\") }"}',
      '{"query":"{ login(password: \\"#{env.PASSWORD}\\") }"}',
    ],
    ['a private key', `a ${key} b`, 'a #{env.PRIVATE_KEY} b'],
    ['a key of a known form', 'x sk_live_AAAA1111BBBB y', 'x #{env.TOKEN} y'],
    ['a key of AWS', 'x AKIAIOSFODNN7EXAMPLE y', 'x #{env.TOKEN} y'],
    ['the password of a URL', 'postgres://joe:geheim1@db/x', 'postgres://joe:#{env.PASSWORD}@db/x'],
  ])
    it(`${title} in a text is read from the environment`, () => {
      const { phases } = replaceSecrets(draftWith({ post: '/', body: text }));
      expect(phases.main[0].operation.body).to.equal(expected);
    });

  for (const [title, operation, expected, comments = [MASKED]] of [
    [
      'text with control characters',
      { body: bytes('\0&password=geheim1') },
      { body: '\0&password=#{env.PASSWORD}' },
      [],
    ],
    ['text with a token', { body: bytes('\0#{a} password=geheim1') }, { body: bytes('\0#{a} password=***') }],
    ['no text', { body: bytes('é=1&password=geheim1') }, { body: bytes('é=1&password=***') }],
    [
      'text with a secret of another place',
      { headers: { 'X-Api-Key': 'geheim-17' }, body: bytes('\0geheim-17') },
      { headers: { 'X-Api-Key': '#{env.API_KEY}' }, body: bytes('\0***') },
    ],
    [
      'a part of a form with the name of a secret',
      { formData: { password: { value: bytes('é') }, a: { value: bytes('é') } } },
      { formData: { password: { value: bytes('***') }, a: { value: bytes('é') } } },
    ],
    ['a message of a WebSocket', { send: [bytes('é token=geheim1')] }, { send: [bytes('é token=***')] }],
    ['without secrets', { body: bytes('é=1') }, { body: bytes('é=1') }, []],
  ])
    it(`bytes that are ${title} are written without secrets`, () => {
      const [{ operation: written, comments: all }] = replaceSecrets(draftWith({ post: '/', ...operation })).phases
        .main;
      expect(written).to.deep.equal({ post: '/', ...expected });
      expect(all).to.deep.equal(comments);
    });

  it('bytes keep their secrets with keepSecrets', () => {
    const draft = draftWith({ post: '/', body: bytes('é=1&password=geheim1') });
    expect(replaceSecrets(draft, { keepSecrets: true }).phases).to.deep.equal(draft.phases);
  });

  itSlow('a text of a hundred thousand lines that look like parts is read in linear time', () => {
    const body = `${'name="a"\n'.repeat(100_000)}password: geheim1`;
    const { phases } = replaceSecrets(draftWith({ post: '/', body }));
    expect(phases.main[0].operation.body.slice(-26)).to.match(/\npassword: #\{env.PASSWORD\}$/);
  });

  for (const [what, operation] of [
    ['dashes in a text', { post: '/a', body: '-'.repeat(200_000) }],
    ['signs of a query', { get: `/a${'?'.repeat(200_000)}` }],
  ])
    it(`hundreds of thousands of ${what} are read in linear time`, () =>
      expect(replaceSecrets(draftWith(operation)).phases.main[0].operation).to.deep.equal(operation));

  it('a variable that a secret is made of is a secret, and others are none', () => {
    const vars = { tk: 'abc', color: 'red', hash: '#' };
    const headers = { Authorization: 'Bearer #{tk}', 'X-Api-Key': '#{hash}{x}', 'X-Color': '#{color}' };
    const draft = replaceSecrets(draftWith({ get: '/', headers }, { properties: { vars } }));
    expect(flowOf(draft)).to.deep.equal({
      vars: { tk: '#{env.TK}', color: 'red', hash: '#' },
      main: [{ get: '/', headers }],
    });
    expect(draft.environment).to.deep.equal([{ name: 'TK', of: 'the variable tk' }]);
  });

  it('a secret has another variable than those that the source reads itself', () => {
    const draft = replaceSecrets(draftWith({ post: '/', auth: { pass: '#{env.PASSWORD}' }, form: { password: 'a1' } }));
    expect(draft.phases.main[0].operation.form).to.deep.equal({ password: '#{env.PASSWORD_2}' });
    expect(draft.environment.map(({ name }) => name)).to.deep.equal(['PASSWORD_2', 'PASSWORD']);
  });

  it('a secret in the name of an operation is hidden', () => {
    const { phases } = replaceSecrets(draftWith({ get: '/', name: 'Get a Bearer password=abc12345' }));
    expect(phases.main[0].operation.name).to.equal('Get a Bearer password=…');
  });

  for (const [script, expected] of [
    ["const apiKey = 'abcdefg'; a('red');", "const apiKey = '…'; a('red');"],
    ["pm.environment.set('password', 'abcdefg');", "pm.environment.set('password', '…');"],
    ["add({ key: 'Authorization', value: 'Bearer abcdefg' })", "add({ key: 'Authorization', value: '…' })"],
    ["add('X-Api-Key: abcdefg');", "add('…');"],
    ["const x = 'abc123456';", "const x = '…';"],
    ["pm.test('is ok');", "pm.test('is ok');"],
  ])
    it(`secrets of a quoted script are hidden: ${script}`, () => expect(hiddenInScript(script)).to.equal(expected));

  for (const [words, expected] of [
    [
      ['node', 't.js', '--password', 'geheim1', '--token=geheim2', '-u', 'joe:geheim3'],
      'node t.js --password … --token=*** -u …',
    ],
    [
      ['sh', '-c', 'curl -H "Authorization: Bearer geheim" -d "{\\"password\\":\\"geheim\\"}" $BASE_URL'],
      'sh -c curl -H "…" -d "…" $BASE_URL',
    ],
    [['curl', '-H', 'Authorization: Bearer geheim'], 'curl -H Authorization: Bearer ***'],
    [
      ['npx', 'mocha', '-u', 'bdd', '--grep', 'log in', '--token-count', '3'],
      'npx mocha -u bdd --grep log in --token-count 3',
    ],
  ])
    it(`secrets of a command are hidden: ${expected}`, () => expect(hiddenInCommand(words)).to.equal(expected));

  for (const name of ['pwd', 'user', 'HOME', 'hostName', 'x-path', 'sshAuthSock', 'http_proxy'])
    it(`a secret named ${name} has no variable that systems set`, () =>
      expect(variableName(name)).to.match(/_(?:VALUE|NAME)$/));

  for (const [path, expected] of [
    ['items[0].id', '$.items[0].id'],
    ['$.0.id', '$[0].id'],
    ['$.a.[0].1.b2', '$.a[0][1].b2'],
    ['$.a[(@.length-1)].b', '$.a[-1].b'],
    ["$..[0]['x.1'][?(@.price < 1.5)].id", "$..[0]['x.1'][?(@.price < 1.5)].id"],
  ])
    it(`the path ${path} of another tool is ${expected}`, () => {
      expect(jsonPathOf(path)).to.equal(expected);
      compileJsonPath(expected);
    });

  it('URLs are relative to the base URL that a draft has', () => {
    const draft = draftWith(
      { get: 'http://other/abs' },
      { baseUrl: 'http://a', properties: { vars: { prefix: '/api' } } },
    );
    draft.phases.main.push(draftOf({ get: 'http://a/x' }), draftOf({ get: 'http://a#{prefix}/y' }));
    expect(flowOf(relativeToBase(draft))).to.deep.equal({
      baseUrl: 'http://a',
      vars: { prefix: '/api' },
      main: [{ get: 'http://other/abs' }, { get: '/x' }, { get: '/api/y' }],
    });
  });
});
