import { expect } from 'chai';

import { draftOf, flowOf, newDraft, relativeToBase } from '../../../lib/import/draft.js';
import { variableName } from '../../../lib/import/environment-names.js';
import { hiddenInScript } from '../../../lib/import/secret-texts.js';
import { replaceSecrets } from '../../../lib/import/secrets.js';

/** @type {(operation: Record<string, any>, parts?: object) => any} */
function draftWith(operation, parts = {}) {
  const draft = newDraft(parts);
  draft.phases.main.push(draftOf(operation));
  return draft;
}

describe('import/secrets', () => {
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

  it('a text of a hundred thousand lines that look like parts is read in linear time', () => {
    const body = `${'name="a"\n'.repeat(100_000)}password: geheim1`;
    const { phases } = replaceSecrets(draftWith({ post: '/', body }));
    expect(phases.main[0].operation.body.slice(-26)).to.match(/\npassword: #\{env.PASSWORD\}$/);
  });

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

  for (const name of ['pwd', 'user', 'HOME', 'hostName', 'x-path', 'sshAuthSock', 'http_proxy'])
    it(`a secret named ${name} has no variable that systems set`, () =>
      expect(variableName(name)).to.match(/_(?:VALUE|NAME)$/));

  it('URLs are relative to the base URL that a draft has', () => {
    const draft = draftWith({ get: 'http://other/abs' }, { baseUrl: 'http://a' });
    draft.phases.main.push(draftOf({ get: 'http://a/x' }));
    expect(flowOf(relativeToBase(draft))).to.deep.equal({
      baseUrl: 'http://a',
      main: [{ get: 'http://other/abs' }, { get: '/x' }],
    });
  });
});
