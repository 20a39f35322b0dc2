import { expect } from 'chai';

import { likelyMistakes, refusePlaceholders } from '../../../lib/core/flow/likely-mistakes.js';

describe('likelyMistakes', () => {
  for (const [what, flow, messages] of [
    ['${…}', { main: [{ get: '/x/${INDEX}' }] }, ['flow.main[0].get: ${INDEX} is sent as it is; write #{INDEX}']],
    ['{{…}}', ['/x/{{ index }}'], ['flow[0]: {{ index }} is sent as it is; write #{INDEX}']],
    [
      'of a feeder',
      { data: { users: 'u.csv' }, main: [{ post: '/', json: { a: ['{{users.name}}'] } }] },
      ['flow.main[0].json.a[0]: {{users.name}} is sent as it is; write #{users.name}'],
    ],
    [
      'of a captured value',
      { main: [{ get: '/', capture: { id: { json: '$.id' } } }, { get: '/${id}' }] },
      ['flow.main[1].get: ${id} is sent as it is; write #{id}'],
    ],
  ])
    it(`a token ${what} is likely to be #{…}`, () => expect(likelyMistakes(flow)).to.deep.equal(messages));

  it('tokens, and braces that are no placeholders, are no mistakes', () => {
    const json = { query: '{ a { b } }', template: '<p>{name}</p>', at: 'x:y' };
    const main = ['/#{INDEX}', '/?q={"INDEX":1}', 'http://a:80/x:batch', { post: '/#{a.b}', json }];
    expect(likelyMistakes({ main, vars: { a: '{{title}}' } })).to.deep.equal([]);
  });

  it('a placeholder of any name is a question in a URL, and in what is sent', () => {
    const urls = ['/${HOME}', '/{{title}}', '/users/{id}/x', '/users/:id?a=1', 'http://h/{%24}{{ a.b }}'];
    const sent = { post: '/', headers: { a: 'Bearer {{token}}' }, json: { get: { deep: ['${x}'] } } };
    const ofUrls = likelyMistakes({ main: urls.map((get) => ({ get })) });
    expect(ofUrls.map((text) => /is (.*) a placeholder/.exec(text)?.[1])).to.deep.equal([
      ...['${HOME}', '{{title}}', '{id}', ':id', '{{ a.b }}'],
    ]);
    expect(likelyMistakes([sent])).to.deep.equal([
      'flow[0].headers.a: is {{token}} a placeholder? It is sent as it is. Write #{token}, or keep the text in vars',
      'flow[0].json.get.deep[0]: is ${x} a placeholder? It is sent as it is. Write #{x}, or keep the text in vars',
    ]);
    expect(likelyMistakes({ main: ['/'], headers: { a: '{{b}}' } }, { A: '{{b}}', c: '{{d}}' })).to.deep.equal([
      'flow.headers.a: is {{b}} a placeholder? It is sent as it is. Write #{b}, or keep the text in vars',
      'headers.c: is {{d}} a placeholder? It is sent as it is. Write #{d}, or keep the text in vars',
    ]);
    expect(() => refusePlaceholders({ main: [sent] })).to.throw(/main\[0\].headers.a: is {{token}}/);
  });

  it('a template in a body is no question, and a value or a text of JSON is', () => {
    const asked = (op) => likelyMistakes([{ post: '/', ...op }]).length;
    const texts = ['<b>{{name}}</b>', '{{#each a}}{{b}}{{/each}}', 'echo ${HOME}', '`${x}`', '${{ a }}'];
    expect(texts.map((text) => [asked({ body: text }), asked({ json: { text } })])).to.deep.equal(
      texts.map(() => [0, 0]),
    );
    const ops = [
      { body: 'Hello {{name}}' },
      { body: '{ "id": "{{id}}" }' },
      { json: { id: '{{id}}' } },
      { json: ['user-${id}'] },
      { qs: { a: 'x {{b}}' } },
    ];
    expect(ops.map(asked)).to.deep.equal([1, 1, 1, 1, 1]);
    expect(() => refusePlaceholders([{ post: '/', body: 'Hello {{name}}' }])).not.to.throw();
    expect(
      likelyMistakes([{ post: '/', capture: { name: { header: 'x' } }, body: 'Hello {{name}}' }]),
    ).to.have.lengthOf(1);
  });

  it('an operation with hooks may replace placeholders of its own', () =>
    expect(likelyMistakes({ main: [{ get: '/{{id}}', beforeHooks: [(all) => all] }] })).to.deep.equal([]));

  it('a header that ends with undefined is likely one, too', () => {
    const headers = { authorization: `Bearer ${undefined}`, x: 'undefined', y: 'undefined behavior', z: 'isundefined' };
    expect(likelyMistakes({ main: [{ get: '/', headers }] })).to.deep.equal([
      'flow.main[0].headers.authorization: ends with "undefined", which is sent; is a variable missing?',
      'flow.main[0].headers.x: ends with "undefined", which is sent; is a variable missing?',
    ]);
  });

  it('a header that is undefined is likely a missing variable, unless it removes a default', () => {
    const flow = { main: [{ get: '/', headers: { authorization: undefined, Accept: undefined, x: null, y: 'a' } }] };
    expect(likelyMistakes(flow, { accept: '*/*' })).to.deep.equal([
      'flow.main[0].headers.authorization: is undefined and not sent; is a variable missing? null leaves it out silently',
    ]);
  });

  it('a flow that is an operation has headers of its own, another one has defaults', () => {
    const headers = { a: undefined };
    expect(likelyMistakes({ get: '/', headers })).to.have.lengthOf(1);
    expect(likelyMistakes({ main: ['/'], headers })).to.deep.equal([]);
  });

  it('a flow that refers to itself ends, and many mistakes are counted', () => {
    const flow = { main: Array.from({ length: 9 }, (_, i) => ({ get: `/${i}/{{INDEX}}` })) };
    flow.main.push(/** @type {any} */ (flow));
    expect(likelyMistakes(flow)).to.have.lengthOf(6).and.include('and 4 more like these');
  });
});
