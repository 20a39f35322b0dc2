import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { capturesFirst, draftOf, flowOf } from '../../../../lib/addons/import/draft.js';
import { read as readHttp } from '../../../../lib/addons/import/http-file/index.js';
import { inFolder } from '../../../support/in-folder.js';
import { itSlow } from '../../../support/slow.js';

const options = { from: 'source', folder: tmpdir() };

describe('import/http-file', () => {
  it('fields of one name, in any case, are a list', () =>
    expect(flowOf(readHttp('GET http://localhost/a\nX-A: 1\nx-a: 2\nB: 3\n', options)).main).to.deep.equal([
      { get: '/a', headers: { 'X-A': ['1', '2'], B: '3' } },
    ]));

  it('reads requests with names, variables, references and scripts', () => {
    const text = `@host = http://localhost:3000
@apiKey = secret

### Log in
# @name login
POST {{host}}/login HTTP/1.1
Content-Type: application/json

{
  "user": "joe",
  "password": "geheim"
}

> {% client.global.set("sid", response.body.session.id); %}

###
# a comment
GET {{host}}/items
    ?page=1
    &size={{$randomInt 1 9}}
Authorization: Bearer {{login.response.body.$.access_token}}
X-Session: {{sid}}
X-Api-Key: {{apiKey}}
X-Home: {{$processEnv HOME}}

### Upload
// @no-redirect
PUT {{host}}/files/1
Content-Type: text/plain

< ./body.txt
`;
    expect(flowOf(readHttp(text, options))).to.deep.equal({
      baseUrl: 'http://localhost:3000',
      beforeMain: [
        {
          post: '/login',
          name: 'login',
          headers: { Accept: '*/*' },
          json: { user: 'joe', password: '#{env.PASSWORD}' },
          capture: { sid: '$.session.id', login_access_token: '$.access_token' },
        },
      ],
      main: [
        {
          get: '/items?page=1&size=#{randomInt(1,9)}',
          headers: {
            Authorization: 'Bearer #{login_access_token}',
            'X-Session': '#{sid}',
            'X-Api-Key': '#{env.API_KEY}',
            'X-Home': '#{env.HOME}',
          },
        },
        {
          put: '/files/1',
          name: 'Upload',
          headers: { 'Content-Type': 'text/plain' },
          body: { file: 'body.txt' },
          followRedirect: false,
        },
      ],
    });
  });

  it('a file of one line is a request', () =>
    expect(flowOf(readHttp('GET http://localhost/a', options)).main).to.deep.equal([{ get: '/a' }]));

  it('a request without a name captures for later ones', () => {
    const text =
      'POST http://x/a\n\n> {%\nclient.global.set("tok", response.body.token);\n%}\n\n###\nGET http://x/{{tok}}\n';
    expect(flowOf(readHttp(text, options)).main).to.deep.equal([
      { post: '/a', capture: { tok: '$.token' } },
      { get: '/#{tok}' },
    ]);
  });

  it('requests of other kinds are named as skipped', () => {
    const text = 'import ./other\n###\ncurl http://x/c -d a=1\n###\nWEBSOCKET ws://x/\n###\nGET http://x/\n';
    const { skipped, phases } = readHttp(text, options);
    expect(phases.main).to.have.length(1);
    expect(skipped.map(({ what }) => what)).to.deep.equal(['curl http://x/c', 'WEBSOCKET', 'import ./other']);
  });

  const mainOf = (text) => flowOf(readHttp(text, options)).main;

  it('a variable that is a value of a response is captured, and its request comes first', () => {
    const text = `@auth = {{sign-in.response.body.$.data.token}}
@id = {{sign-in.response.body.user.id}}

GET http://x/users/{{id}}
Authorization: Bearer {{auth}}
X-All: {{sign-in.response.body.*}}
X-Other: {{nobody.response.body.$.a}}

###
# @name sign-in
post http://x/login
`;
    expect(mainOf(text)).to.deep.equal([
      {
        post: '/login',
        name: 'sign-in',
        capture: { sign_in_token: '$.data.token', sign_in_id: '$.user.id', sign_in_body: '$' },
      },
      {
        get: '/users/#{sign_in_id}',
        headers: {
          Authorization: 'Bearer #{sign_in_token}',
          'X-All': '#{sign_in_body}',
          'X-Other': '#{env.NOBODY_RESPONSE_BODY_A}',
        },
      },
    ]);
  });

  it('two values of one name have two captures', () => {
    const text =
      '# @name a\nGET http://x/\n###\nGET http://x/{{a.response.body.$.x.id}}/{{a.response.body.$.y.id}}/{{a.response.body.$.x.id}}';
    expect(mainOf(text)).to.deep.equal([
      { get: '/', name: 'a', capture: { a_id: '$.x.id', a_id_2: '$.y.id' } },
      { get: '/#{a_id}/#{a_id_2}/#{a_id}' },
    ]);
  });

  it('scripts of JetBrains before and after a request become captures, or a comment', () => {
    const text = `### Scripts
< {%
  request.variables.set("secret", "geheim1234");
  client.log("x")
%}
< ./before.js
GET http://x/a

> {%
  client.test("ok", function () { client.assert(response.status === 200, "status"); });
  client.global.set("id", jsonPath(response.body, "$.items[0].id"));
%}
> ./after.js
<> ./response.200.json

###
GET http://x/{{id}}
`;
    const draft = readHttp(text, options);
    expect(flowOf(draft).main).to.deep.equal([
      { get: '/a', name: 'Scripts', expect: { status: 200 }, capture: { id: '$.items[0].id' } },
      { get: '/#{id}' },
    ]);
    expect(draft.phases.main[0].comments).to.deep.equal([
      'The script ./before.js of the request is not read.',
      'The script ./after.js of the request is not read.',
    ]);
  });

  it('comments and variables below a body are none of it, and rows of signs are no names', () => {
    const text = `#### =========
### Teams
POST http://localhost/teams
Content-Type: application/json

{
  // the name
  "name": "core"
}

@team = {{Teams.response.body.team.id}}

# =========
# 2. PROJECTS
# =========

### =======
GET http://localhost/teams/{{team}}
`;
    const named = text.replace('### Teams', '### Teams\n# @name Teams');
    expect(flowOf(readHttp(named, options)).main).to.deep.equal([
      {
        post: '/teams',
        name: 'Teams',
        headers: { Accept: '*/*' },
        json: { name: 'core' },
        capture: { Teams_id: '$.team.id' },
      },
      { get: '/teams/#{Teams_id}' },
    ]);
  });

  it('requests without separators are several requests', () => {
    const text = `http://localhost/a

http://localhost/a/1

GET http://localhost/b
Accept: text/plain

POST http://localhost/c
Content-Type: text/plain

GET it
> {% client.log("done") %}

DELETE http://localhost/d HTTP/1.1
`;
    expect(flowOf(readHttp(text, options)).main).to.deep.equal([
      { get: '/a' },
      { get: '/a/1' },
      { get: '/b', headers: { Accept: 'text/plain' } },
      { post: '/c', headers: { 'Content-Type': 'text/plain' }, body: 'GET it' },
      { delete: '/d' },
    ]);
  });

  it('requests that need a response which comes later are left out, with the reason', () => {
    const text = `### a
GET http://localhost/a/{{b.response.body.id}}

### b
GET http://localhost/b/{{a.response.body.id}}

### c
GET http://localhost/c?after={{c.response.body.cursor}}

### d
GET http://localhost/d
`;
    const { phases } = readHttp(text, options);
    expect(phases.main.map(({ operation: { name }, disabled = null }) => [name, disabled])).to.deep.equal([
      ['b', 'its value a_id is in the response of a, which is not there before it'],
      ['a', 'its value b_id is in the response of b, which is not there before it'],
      ['c', 'its value c_cursor is in its own response, which is not there before it'],
      ['d', null],
    ]);
  });

  it('a variable that names itself through another one stays as it is', () => {
    const text = '@a = {{b}}\n@b = {{a}}\n\nGET http://localhost/{{a}}\n';
    expect(flowOf(readHttp(text, options)).main).to.have.length(1);
  });

  itSlow('variables that contain themselves many times are filled at most a thousand times', () => {
    const text = `@a = ${'{{a}}'.repeat(100)}\n\nGET http://localhost/{{a}}\n`;
    expect(String(flowOf(readHttp(text, options)).vars.a).length).to.be.below(1_000_000);
  });

  itSlow('a long chain of requests, each of which needs the next one, is sorted', () => {
    const drafts = Array.from({ length: 20_000 }, (_, i) =>
      draftOf({ get: `/#{v${i + 1}}`, capture: { [`v${i}`]: '$' } }),
    );
    const last = draftOf({ get: '/', capture: { v20000: '$' } });
    expect(capturesFirst([...drafts, last])).to.deep.equal([last, ...drafts.toReversed()]);
  });

  it('a form may be in several lines, with spaces around its pairs', () =>
    expect(
      mainOf(
        'POST http://x/a\nContent-Type: application/x-www-form-urlencoded\n\na = 1 &\nb = two words &\nc={{$guid}}\n',
      )[0].form,
    ).to.equal('a=1&b=two%20words&c=#{uuid}'));

  it('values of environment files are those of variables, and private ones are secrets', () =>
    inFolder((folder) => {
      writeFileSync(
        join(folder, 'http-client.env.json'),
        '{"dev":{"host":"http://a.test","n":5},"prod":{"host":"http://b.test"}}',
      );
      writeFileSync(join(folder, 'http-client.private.env.json'), '{"dev":{"user":"geheim"}}');
      const text = 'POST {{host}}/a\nContent-Type: application/json\n\n{"n": {{n}}, "user": "{{user}}"}\n';
      const draft = readHttp(text, { from: 'a.http', folder });
      expect(draft.baseUrl).to.equal('http://a.test');
      expect(draft.phases.main[0].operation.json).to.deep.equal({ n: '#{n:json}', user: '#{env.USER_VALUE}' });
      expect(draft.dialectNotes.join()).to.include('those of dev').and.to.include('prod');
      expect(readHttp(text, { from: 'a.http', folder, environment: ['prod'] }).baseUrl).to.equal('http://b.test');
      expect(() => readHttp(text, { from: 'a.http', folder, environment: ['none'] })).to.throw(/dev, prod/);
    }));

  it('a script that runs before a request may be below its first line', () => {
    const text =
      'POST http://x/a\nContent-Type: application/json\n< {%\n  request.variables.set("n", "5");\n%}\n\n< {% client.log("x") %}\n{"n": {{n}}}\n';
    expect(mainOf(text)).to.deep.equal([{ post: '/a', headers: { Accept: '*/*' }, json: { n: '#{n:json}' } }]);
  });

  it('a response that is kept below its request is no body', () => {
    const response = 'HTTP/1.1 200 OK\nContent-Type: application/json\n\n{"token": "t"}\n';
    const text = `GET http://x/a\n${response}\n###\nPOST http://x/b\n\nhello\n\n${response}GET http://x/c\n`;
    expect(mainOf(text)).to.deep.equal([{ get: '/a' }, { post: '/b', body: 'hello' }, { get: '/c' }]);
  });

  it('a first line that is no URL is named, and the request below it is sent', () => {
    const draft = readHttp('Content-Type: application/json\nPOST http://x/a\n', options);
    expect(flowOf(draft).main).to.deep.equal([{ post: '/a' }]);
    expect(draft.skipped).to.deep.equal([{ what: 'GET Content-Type: application/json', why: 'it has no valid URL' }]);
  });

  it('forms with files, GraphQL and credentials are read', () => {
    const text = `POST http://x/upload
Content-Type: multipart/form-data; boundary=bb
Authorization: Digest joe geheim

--bb
Content-Disposition: form-data; name="title"

A {{$guid}}
--bb
Content-Disposition: form-data; name="file"; filename="1.png"
Content-Type: image/png

< ./1.png
--bb--

###
GRAPHQL http://x/graphql

query ($id: ID!) { item(id: $id) { name } }

{ "id": {{$randomInt 1 9}} }

###
POST http://x/graphql
X-REQUEST-TYPE: GraphQL

{ items { id } }
`;
    expect(mainOf(text)).to.deep.equal([
      {
        post: '/upload',
        auth: { user: 'joe', pass: '#{env.PASSWORD}', sendImmediately: false },
        formData: { title: 'A #{uuid}', file: { file: '1.png', filename: '1.png', contentType: 'image/png' } },
      },
      {
        post: '/graphql',
        graphql: 'query ($id: ID!) { item(id: $id) { name } }',
        variables: { id: '#{randomInt(1,9):json}' },
      },
      { post: '/graphql', graphql: '{ items { id } }' },
    ]);
  });
});
