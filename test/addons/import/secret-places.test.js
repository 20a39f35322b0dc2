import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import { stringify } from 'yaml';

import { command } from '../../support/command.js';
import { fields, recorded, recording } from '../../support/har.js';
import { inFolder } from '../../support/in-folder.js';

const URL_BASE = 'http://localhost:3000';
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A secret that its name marks, and one that looks like one wherever it is. */
const named = (id) => `geheim-${id}-x7`;
const random = (id) => `q7Rf2Lk9Zt4Xw8Vb3Nd${id}`;

/** Where a request can have a secret: each with its own one. */
const PLACES = {
  'a parameter of the URL': [named, (s) => ({ url: `/a?token=${s}&x=1` })],
  'an encoded name in the URL': [named, (s) => ({ url: `/a?access%5Ftoken=${s}` })],
  'the password in a URL': [named, (s) => ({ origin: `http://joe:${s}@localhost:3000`, url: '/a' })],
  'the path, after a name': [random, (s) => ({ url: `/reset-password/${s}` })],
  'the path, after a word': [random, (s) => ({ url: `/hooks/T0/${s}/run` })],
  'the path, at its beginning': [random, (s) => ({ url: `/bot7:${s}/send` })],
  'a parameter with any name': [random, (s) => ({ url: `/a?z=${s}` })],
  'a field with a name': [named, (s) => ({ url: '/a', headers: { 'X-Api-Key': s } })],
  'a field with any name': [random, (s) => ({ url: '/a', headers: { 'X-Shop': s } })],
  'a bearer token': [named, (s) => ({ url: '/a', headers: { Authorization: `Bearer ${s}` } })],
  'a URL in a field': [named, (s) => ({ url: '/a', headers: { Referer: `${URL_BASE}/?token=${s}` } })],
  'the field Cookie': [named, (s) => ({ url: '/a', headers: { Cookie: `theme=dark; session=${s}` } })],
  'a cookie with any name': [random, (s) => ({ url: '/a', headers: { Cookie: `zz=${s}` } })],
  'a member of JSON': [named, (s) => json({ user: 'joe', password: s })],
  'members below a name': [named, (s) => json({ credentials: { db: s, kind: 'plain' } })],
  'a list in JSON': [named, (s) => json({ apiKeys: ['first', s] })],
  'JSON in a text of JSON': [named, (s) => json({ payload: JSON.stringify({ password: s }) })],
  'JSON that is sent as it is written': [
    named,
    (s) => ({ ...json(null), body: `{"a": 1.0,\n "payload": "{\\"password\\":\\"${s}\\"}", "password": "${s}"}` }),
  ],
  'variables of GraphQL': [
    named,
    (s) => json({ query: 'mutation($in: Login!) { login(in: $in) { id } }', variables: { in: { password: s } } }),
  ],
  'an argument of GraphQL': [named, (s) => json({ query: `mutation { login(password: "${s}") { id } }` })],
  'a form': [
    named,
    (s) => ({
      method: 'POST',
      url: '/a',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `user=joe&pass%77ord=${s}&x=1`,
    }),
  ],
  'an element of XML': [named, (s) => xml(`<login><user>joe</user><ns:password a="1">${s}</ns:password></login>`)],
  'an attribute of XML': [named, (s) => xml(`<login user="joe" password="${s}"/>`)],
  'lines of YAML': [named, (s) => text(`user: joe\npassword: ${s}\n`, 'application/yaml')],
  'a connection string': [named, (s) => text(`see postgres://joe:${s}@db/x`, 'text/plain')],
  'a part of a form with files': [
    named,
    (s) => ({
      method: 'POST',
      url: '/a',
      headers: { 'Content-Type': 'multipart/form-data; boundary=bb' },
      body: `--bb\r\nContent-Disposition: form-data; name="password"\r\n\r\n${s}\r\n--bb--\r\n`,
      form: { password: s, file: 'x' },
    }),
  ],
};

const json = (value) => ({ method: 'POST', url: '/a', headers: JSON_TYPE, body: JSON.stringify(value) });
const text = (body, type) => ({ method: 'POST', url: '/a', headers: { 'Content-Type': type }, body });
const xml = (body) => text(body, 'application/xml');

const PLACED = Object.entries(PLACES).map(([place, [secretOf, requestOf]], i) => {
  const secret = secretOf(10 + i);
  return { place, secret, request: { origin: URL_BASE, method: 'GET', headers: {}, ...requestOf(secret) } };
});
const REQUESTS = PLACED.map(({ request }) => request);
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;
const parts = ({ form = {} }) => Object.entries(form);
const isForm = ({ form }) => form !== undefined;
const plainFields = ({ form, headers }) =>
  Object.entries(headers).filter(([name]) => form === undefined || name !== 'Content-Type');

/** Requests as each source has them; files by name. */
const SOURCES = {
  'shop.sh': () =>
    REQUESTS.map((one) =>
      [
        `curl -X ${one.method} ${quoted(one.origin + one.url)}`,
        ...plainFields(one).map((field) => `-H ${quoted(field.join(': '))}`),
        ...parts(one).map((pair) => `-F ${quoted(pair.join('='))}`),
        ...(one.body !== undefined && !isForm(one) ? [`--data-raw ${quoted(one.body)}`] : []),
      ].join(' \\\n  '),
    ).join('\n'),
  'shop.har': () =>
    JSON.stringify(
      recording(
        ...REQUESTS.map(({ origin, method, url, headers, body }, i) =>
          recorded(`${method} ${origin}${url}`, {
            at: 1000 * i,
            headers: fields(headers),
            entry: { _resourceType: 'fetch' },
            ...(body !== undefined && { postData: { mimeType: headers['Content-Type'], text: body } }),
          }),
        ),
      ),
    ),
  'shop.postman_collection.json': () =>
    JSON.stringify({
      info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: REQUESTS.map((one, i) => ({
        name: `Request ${i}`,
        request: {
          method: one.method,
          url: { raw: one.origin + one.url },
          header: plainFields(one).map(([key, value]) => ({ key, value })),
          ...(isForm(one)
            ? { body: { mode: 'formdata', formdata: parts(one).map(([key, value]) => ({ key, value })) } }
            : one.body !== undefined && { body: { mode: 'raw', raw: one.body } }),
        },
      })),
    }),
  'insomnia.json': () =>
    JSON.stringify({
      _type: 'export',
      __export_format: 4,
      resources: [
        { _id: 'w', _type: 'workspace', parentId: null },
        ...REQUESTS.map((one, i) => ({
          _id: `r${i}`,
          _type: 'request',
          parentId: 'w',
          metaSortKey: i,
          ...insomnia(one),
        })),
      ],
    }),
  'insomnia.yaml': () =>
    stringify({ type: 'collection.insomnia.rest/5.0', name: 'Shop', collection: REQUESTS.map(insomnia) }),
  'artillery.yml': () =>
    stringify({
      config: { target: URL_BASE },
      scenarios: [
        {
          flow: REQUESTS.map((one) => ({
            [one.method.toLowerCase()]: {
              url: one.origin === URL_BASE ? one.url : one.origin + one.url,
              headers: Object.fromEntries(plainFields(one)),
              ...(isForm(one) ? { formData: one.form } : one.body !== undefined && { body: one.body }),
            },
          })),
        },
      ],
    }),
  'shop.http': () =>
    REQUESTS.map((one) =>
      [
        `${one.method} ${one.origin}${one.url}`,
        ...Object.entries(one.headers).map((field) => field.join(': ')),
        '',
        ...(one.body === undefined ? [] : [one.body]),
      ].join('\n'),
    ).join('\n\n###\n'),
  'targets.json': () =>
    REQUESTS.map(({ method, origin, url, headers, body }) =>
      JSON.stringify({
        method,
        url: origin + url,
        header: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
        ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
      }),
    ).join('\n'),
};

const insomnia = (one) => ({
  name: `${one.method} ${one.url}`,
  method: one.method,
  url: one.origin + one.url,
  headers: plainFields(one).map(([name, value]) => ({ name, value })),
  ...(isForm(one)
    ? { body: { mimeType: 'multipart/form-data', params: parts(one).map(([name, value]) => ({ name, value })) } }
    : one.body !== undefined && { body: insomniaBody(one.headers['Content-Type'], one.body) }),
});
const insomniaBody = (mimeType, body) =>
  /urlencoded/.test(mimeType)
    ? { mimeType, params: [...new URLSearchParams(body)].map(([name, value]) => ({ name, value })) }
    : { mimeType, text: body };

/** Browsers record no user of a URL, and a flow has no Referer. */
const ABSENT = { 'shop.har': ['the password in a URL', 'a URL in a field'] };

/** Imports a source; returns the flow and all that is printed. */
async function imported(file, format, ...flags) {
  return inFolder(
    async (cwd) => {
      const { code, stdout, stderr } = await command(['import', file, '-o', `flow.${format}`, ...flags], { cwd });
      expect(code, stderr).to.equal(0);
      return readFileSync(join(cwd, `flow.${format}`), 'utf8') + stdout + stderr;
    },
    { [file]: SOURCES[file]() },
  );
}

describe('import: secrets in every place', () => {
  for (const file of Object.keys(SOURCES)) {
    describe(file, () => {
      let masked;
      let kept;
      before(async () => {
        masked = `${await imported(file, 'mjs')}${await imported(file, 'json')}`;
        kept = await imported(file, 'mjs', '--keep-secrets');
      });

      for (const { place, secret } of PLACED)
        it(`${place} is read from the environment, and kept with --keep-secrets`, () => {
          expect(masked).not.to.include(secret);
          if (!ABSENT[file]?.includes(place)) expect(kept).to.include(secret);
        });
    });
  }
});
