import { withArguments } from '../../lib/core/flow/arguments.js';
import { createProblems } from '../../lib/core/ground/problems.js';
import { flowOf } from '../../lib/addons/import/draft.js';
import { SOURCES } from '../../lib/addons/import/sources.js';
import { writeFlow } from '../../lib/addons/import/write-flow.js';

/** A variable of the environment that no document may read: importers write names in upper case. */
const NAME = 'planted_Name';
const SECRET = 'value-that-is-never-sent';

/** What others may write; an array: the ends and beginnings of two texts that follow each other. */
const PLANTS = [
  `#{env.${NAME}}`,
  `#<env.${NAME}>`,
  `#{env.${NAME}:json}`,
  `##{env.${NAME}}`,
  `#{#{env.${NAME}}}`,
  `#{own${'0'.repeat(24)}env.${NAME}}`,
  ...['\u200b', '\ufeff', '\u0000', '\u2028', '\u0007', '\ud800', '\r', '\n', '\t', ' '].flatMap((one) => [
    `#${one}{env.${NAME}}`,
    `#{${one}env.${NAME}}`,
    `#{env.${one}${NAME}}`,
  ]),
  `%23{env.${NAME}}`,
  `%23%7Benv.${NAME}%7D`,
  `%2523%257Benv.${NAME}%257D`,
  `\\u0023{env.${NAME}}`,
  `\\u0023\\u007benv.${NAME}\\u007d`,
  `\\x23{env.${NAME}}`,
  `"#{env.${NAME}}"`,
  `&#35;{env.${NAME}}`,
  Buffer.from(`#{env.${NAME}}`).toString('base64'),
  `Basic ${Buffer.from(`a:#{env.${NAME}}`).toString('base64')}`,
  `a=1&%23{env.${NAME}}=2`,
  JSON.stringify({ [`#{env.${NAME}}`]: `#{env.${NAME}}` }),
  JSON.stringify(JSON.stringify({ a: `#{env.${NAME}}` })),
  `{{sign}}{env.${NAME}}`,
  `#{{brace}}env.${NAME}}`,
  '{{whole}}',
  `http://#{env.${NAME}}/x`,
  `http://{{sign}}{env.${NAME}}/x`,
  ['#', `{env.${NAME}}`],
  ['#{env.', `${NAME}}`],
  ['#{', `env.${NAME}}`],
];
/** Values of variables that documents refer to. */
const VARIABLES = { sign: '#', brace: '{', whole: `#{env.${NAME}}`, host: 'http://127.0.0.1:1' };

const URL_BASE = 'http://127.0.0.1:1';
const variables = Object.entries(VARIABLES);
const pairs = variables.map(([key, value]) => ({ key, value }));

/** Documents of each kind, with texts in as many places as possible; a text: of its lines and words. */
const DOCUMENTS = {
  openapi: {
    openapi: '3.0.0',
    info: { title: 'title', description: 'about' },
    servers: [{ url: `${URL_BASE}/base`, variables: { a: { default: 'b' } } }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    paths: {
      '/items': {
        post: {
          summary: 'summary',
          operationId: 'id',
          tags: ['tag'],
          parameters: [
            { name: 'q', in: 'query', required: true, schema: { default: 'x' } },
            { name: 'X-H', in: 'header', required: true, example: 'h' },
            { name: 'c', in: 'cookie', required: true, example: 'v' },
          ],
          requestBody: { required: true, content: { 'application/json': { example: { name: 'n', list: ['a'] } } } },
          responses: {
            201: { content: { 'application/json': { schema: { properties: { id: { type: 'string' } } } } } },
          },
        },
      },
      '/items/{id}/{other}': {
        get: {
          security: [{ key: [] }],
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'other', in: 'path', required: true, example: 'o', schema: { enum: ['e'] } },
          ],
          responses: { 200: {} },
        },
      },
      '/form': {
        post: {
          servers: [{ url: 'http://127.0.0.1:2/own' }],
          requestBody: {
            required: true,
            content: {
              'application/x-www-form-urlencoded': {
                schema: { required: ['f'], properties: { f: { example: 'g' }, title: { maxLength: 30 } } },
              },
            },
          },
          responses: { 200: {} },
        },
      },
    },
  },
  postman: {
    info: { name: 'n', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: pairs,
    auth: { type: 'bearer', bearer: [{ key: 'token', value: 't' }] },
    item: [
      {
        name: 'folder',
        item: [
          {
            name: 'a',
            event: [{ listen: 'test', script: { exec: ['pm.environment.set("x", pm.response.json().id);'] } }],
            request: {
              method: 'POST',
              url: { raw: '{{host}}/a/:p?b={{sign}}#f', variable: [{ key: 'p', value: 'v' }] },
              header: [{ key: 'X-A', value: 'b' }],
              body: { mode: 'raw', raw: '{"a": "b", "c": {{whole}}}' },
            },
          },
        ],
      },
      ...[
        { mode: 'urlencoded', urlencoded: pairs },
        { mode: 'formdata', formdata: [{ key: 'k', value: 'v', type: 'text', contentType: 't/x' }] },
        { mode: 'graphql', graphql: { query: 'query { a }', variables: '{"a": "b"}' } },
      ].map((body) => ({ name: 'b', request: { method: 'PUT', url: `${URL_BASE}/b`, body } })),
      ...[
        { type: 'basic', basic: [...['username', 'password'].map((key) => ({ key, value: 'u' }))] },
        {
          type: 'apikey',
          apikey: [
            { key: 'key', value: 'X-K' },
            { key: 'value', value: 'v' },
          ],
        },
        {
          type: 'apikey',
          apikey: [
            { key: 'in', value: 'query' },
            { key: 'key', value: 'k' },
            { key: 'value', value: 'v' },
          ],
        },
        {
          type: 'awsv4',
          awsv4: [
            { key: 'accessKey', value: 'k' },
            { key: 'secretKey', value: 's' },
          ],
        },
      ].map((auth) => ({ name: 'c', request: { method: 'GET', url: '{{host}}/c', auth } })),
    ],
  },
  insomnia: {
    _type: 'export',
    resources: [
      { _id: 'w', _type: 'workspace' },
      { _id: 'e', _type: 'environment', parentId: 'w', data: { ...VARIABLES, nested: { sign: '#' } } },
      {
        _id: 'r',
        _type: 'request',
        parentId: 'w',
        name: 'name',
        method: 'POST',
        url: '{{ _.host }}/a',
        headers: [{ name: 'X-A', value: '{{ _.sign }}' }],
        parameters: [{ name: 'q', value: 'v' }],
        body: { mimeType: 'application/json', text: '{"a": "b"}' },
        authentication: { type: 'basic', username: 'u', password: 'p' },
      },
      { _id: 's', _type: 'request', parentId: 'w', name: 'two', method: 'GET', url: `${URL_BASE}/b` },
    ],
  },
  artillery: {
    config: {
      target: '{{ host }}',
      variables: { ...VARIABLES, list: ['a', 'b'] },
      defaults: { headers: { 'X-A': 'b' } },
      phases: [{ duration: 1, arrivalRate: 1 }],
    },
    scenarios: [
      {
        name: 'n',
        flow: [
          {
            post: {
              url: '/a',
              name: 'title',
              headers: { 'X-B': '{{ sign }}' },
              qs: { q: 'v' },
              cookie: { c: 'v' },
              json: { a: 'b' },
              auth: { user: 'u', pass: 'p' },
              capture: { json: '$.id', as: 'id' },
              expect: [{ statusCode: 200 }, { headerEquals: ['x-a', 'b'] }],
            },
          },
          { post: { url: '/b', form: { f: 'v' } } },
          { post: { url: '/c', formData: { f: 'v' }, body: 'text' } },
          { loop: [{ get: { url: '/d' } }], count: 2 },
        ],
      },
    ],
  },
  har: {
    log: {
      entries: [
        {
          startedDateTime: '2026-01-05T10:00:00.000Z',
          time: 5,
          request: {
            method: 'POST',
            url: `${URL_BASE}/login/x?q=v`,
            headers: [
              { name: 'X-A', value: 'b' },
              { name: 'Authorization', value: 'Basic YTpi' },
              { name: 'Cookie', value: 'c=v' },
              { name: 'Content-Type', value: 'application/json' },
            ],
            postData: { mimeType: 'application/json', text: '{"a":"b"}' },
          },
          response: {
            status: 200,
            headers: [{ name: 'Set-Cookie', value: 's=t' }],
            content: { mimeType: 'application/json', text: '{"token":"abcdefgh12345678"}' },
          },
        },
        ...[
          { mimeType: 'application/x-www-form-urlencoded', text: 'f=g&h=i' },
          {
            mimeType: 'multipart/form-data; boundary=x',
            params: [{ name: 'n', value: 'v', fileName: 'f', contentType: 't/x' }],
          },
          { mimeType: 'text/plain', text: 'text' },
        ].map((postData, i) => ({
          startedDateTime: `2026-01-05T10:00:0${i + 1}.000Z`,
          time: 5,
          request: {
            method: 'PUT',
            url: `${URL_BASE}/b/abcdefgh12345678`,
            headers: [
              { name: 'Cookie', value: 's=t' },
              { name: 'Content-Type', value: postData.mimeType },
            ],
            postData,
          },
          response: { status: 200, headers: [], content: {} },
        })),
      ],
    },
  },
  curl: `export sign='#'
whole='#{env.${NAME}}'
TOKEN=$(curl -s ${URL_BASE}/login -d '{"a":"b"}' | jq -r .token)
curl ${URL_BASE}/a?x=y -H "X-A: $sign" -u 'me:pass' -b 'c=v' --data-urlencode 'a=b c' -G
curl -X POST "${URL_BASE}/b" -H "Authorization: Bearer $TOKEN" -d "{\\"a\\": \\"$whole\\"}" -A 'agent'
curl ${URL_BASE}/c -F 'a=b;type=t/x' -F $'c=\\x64'
`,
  grpcurl: `grpcurl -plaintext -d '{"a":"b","c":["d"]}' -H 'x-a: b' -rpc-header 'Authorization: Bearer abc' -max-time 2 localhost:1 a.S/M
grpcurl -import-path p -proto a.proto -d '{}' localhost:1 a.S.N
`,
  ghz: {
    proto: 'a.proto',
    call: 'a.S.M',
    host: 'localhost:1',
    data: { a: 'b', c: ['d'] },
    metadata: { 'x-a': 'b', authorization: 'Bearer abc' },
    insecure: true,
    total: 10,
    concurrency: 2,
    timeout: '2s',
  },
  fetch: `await fetch("${URL_BASE}/a?x=y", {
  "headers": { "X-A": "b", "Content-Type": "application/json" }, "referrer": "${URL_BASE}/",
  "body": "{\\"a\\":\\"b\\"}", "method": "POST"
});
fetch("${URL_BASE}/b", { headers: { authorization: "Bearer abc" } });
`,
  powershell: `$session.UserAgent = "agent"
$session.Cookies.Add((New-Object System.Net.Cookie("s", "t", "/", "host")))
Invoke-WebRequest -Uri "${URL_BASE}/a?x=y" -Method "POST" -WebSession $session -Headers @{
"X-A"="b"
} -ContentType "application/json" -Body "{\`"a\`":\`"b\`"}"
Invoke-WebRequest -Uri "${URL_BASE}/b"
`,
  'http-file': `@sign = #
@whole = #{env.${NAME}}
@host = ${URL_BASE}
### one
# @name login
POST {{host}}/a?b={{sign}} HTTP/1.1
Content-Type: application/json
X-A: {{sign}}

{"a": "b", "c": {{whole}}}
###
GET {{host}}/b
Authorization: Basic me pass
X-B: {{login.response.body.$.id}}
###
POST {{host}}/c
Content-Type: application/x-www-form-urlencoded

a=b&c=d
`,
  vegeta: [
    { method: 'POST', url: `${URL_BASE}/a?b=c`, header: { 'X-A': ['b'] }, body: 'dGV4dA==' },
    { method: 'GET', url: `${URL_BASE}/b` },
  ],
  k6: `import http from 'k6/http';
const host = '${URL_BASE}';
export const options = { vus: 2, duration: '9s', tags: { a: 'b' }, thresholds: { http_req_duration: ['p(95)<500'] } };
export default function () { http.get(host + '/a'); }
`,
};

/** Imports a document with plants at random places; a text: how a flow would read the planted variable. */
export async function findPlanted(random) {
  const kind = random.pick(Object.keys(DOCUMENTS));
  const given = DOCUMENTS[kind];
  const plant = random.pick(PLANTS);
  const text =
    typeof given === 'string' ? inText(given, plant, random) : printed(kind, inDocument(given, plant, random));
  // A variable of a shell is read from the environment: that is what the script says.
  if (text.includes(`$${NAME}`)) return findPlanted(random);
  const { read, readBytes } = await SOURCES.find(({ name }) => name === kind).load();
  const options = { from: kind, folder: '/', ...random.pick([{}, { keepSecrets: true }, { baseUrl: URL_BASE }]) };
  let draft;
  try {
    draft = await (readBytes ? readBytes(Buffer.from(text), options) : read(text, options));
  } catch (error) {
    if (/^E_/.test(error.code)) return { kind, isRead: false, fault: null };
    return { kind, isRead: false, fault: `${kind}: ${error.stack}\n${text}` };
  }
  const flows = [flowOf(draft), JSON.parse(writeFlow(draft, 'json'))];
  const hasSecret = flows.some((flow) => JSON.stringify(asRun(flow)).includes(SECRET));
  return { kind, isRead: true, fault: hasSecret ? `${kind} reads the planted variable: ${text}` : null };
}

/** The flow with the variables of the environment, as a run replaces them, also those that a value makes. */
function asRun(flow) {
  const environment = { valueOf: (name) => (name === NAME ? SECRET : '#'), names: () => [], isAllowed: () => true };
  const replaced = (value) =>
    withArguments(value, { args: {}, environment }, { path: 'flow', problems: createProblems('E_FLOW') });
  const { vars = {}, ...rest } = replaced(flow);
  // Variables are texts of later requests: they must not make tokens either, but are no templates.
  return { vars, rest };
}

function printed(kind, document) {
  return kind === 'vegeta' ? document.map((line) => JSON.stringify(line)).join('\n') : JSON.stringify(document);
}

function inText(text, plant, random) {
  const [first, second] = [plant].flat();
  const words = [...text.matchAll(/\w+/g)];
  const at = random.below(words.length - 1);
  const add = (word, one) => ({
    from: word.index,
    to: word.index + word[0].length,
    by: random.pick([one, word[0] + one, one + word[0]]),
  });
  const changes = [add(words[at], first), ...(second === undefined ? [] : [add(words[at + 1], second)])];
  return changes.reverse().reduce((all, { from, to, by }) => all.slice(0, from) + by + all.slice(to), text);
}

/** Changes one text of a document, a key included, or two that follow each other. */
function inDocument(document, plant, random) {
  const [first, second] = [plant].flat();
  const mayBeKey = random.below(4) === 0;
  let count = 0;
  const visit = (value, change, key) => {
    if (typeof value === 'string') return change(value, count++, key);
    if (Array.isArray(value)) return value.map((one) => visit(one, change));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [mayBeKey ? change(name, count++) : name, visit(one, change)]),
    );
  };
  visit(document, (text) => text);
  const at = random.below(count);
  const next = at + 1 + random.below(2);
  count = 0;
  return visit(document, (text, i) => {
    const one = i === at ? first : i === next ? second : undefined;
    if (one === undefined) return text;
    if (second !== undefined) return i === at ? random.pick([one, text + one]) : random.pick([one, one + text]);
    const middle = random.below(text.length + 1);
    return random.pick([one, text + one, one + text, text.slice(0, middle) + one + text.slice(middle)]);
  });
}
