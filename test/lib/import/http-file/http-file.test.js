import { tmpdir } from 'node:os';

import { expect } from 'chai';

import { flowOf } from '../../../../lib/import/draft.js';
import { read as readHttp } from '../../../../lib/import/http-file/index.js';

const options = { from: 'source', folder: tmpdir() };

describe('import/http-file', () => {
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
      main: [
        {
          post: '/login',
          name: 'login',
          json: { user: 'joe', password: '#{env.PASSWORD}' },
          capture: { sid: '$.session.id', login_access_token: '$.access_token' },
        },
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
    const text =
      'GRAPHQL http://x/g\n\n{ a }\n###\ncurl http://x/c -d a=1\n###\nWEBSOCKET ws://x/\n###\nGET http://x/\n';
    const { skipped, phases } = readHttp(text, options);
    expect(phases.main).to.have.length(1);
    expect(skipped.map(({ what }) => what)).to.deep.equal(['GRAPHQL http://x/g', 'curl http://x/c', 'WEBSOCKET']);
  });
});
