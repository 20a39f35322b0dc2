import { expect } from 'chai';

import { likelyMistakes } from '../../../lib/flow/likely-mistakes.js';

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

  it('texts with other names, and tokens, are no mistakes', () =>
    expect(likelyMistakes(['/${HOME}/{{title}}', '/#{INDEX}', '{"a":{"b":{"INDEX":1}}}'])).to.deep.equal([]));

  it('a header that ends with undefined is likely one, too', () => {
    const headers = { authorization: `Bearer ${undefined}`, x: 'undefined', y: 'undefined behavior', z: 'isundefined' };
    expect(likelyMistakes({ main: [{ get: '/', headers }] })).to.deep.equal([
      'flow.main[0].headers.authorization ends with "undefined", which is sent; is a variable missing?',
      'flow.main[0].headers.x ends with "undefined", which is sent; is a variable missing?',
    ]);
  });

  it('a header that is undefined is likely a missing variable, unless it removes a default', () => {
    const flow = { main: [{ get: '/', headers: { authorization: undefined, Accept: undefined, x: null, y: 'a' } }] };
    expect(likelyMistakes(flow, { accept: '*/*' })).to.deep.equal([
      'flow.main[0].headers.authorization is undefined and not sent; is a variable missing? null leaves it out silently',
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
