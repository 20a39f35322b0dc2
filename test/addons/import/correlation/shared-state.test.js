import { expect } from 'chai';

import { correlate } from '../../../../lib/addons/import/correlation/correlate.js';
import { exchanges } from '../../../support/exchanges.js';

/** The operations of a suite: rows as those of `exchanges`, each with the session before them. */
function flowOf(...rows) {
  const all = exchanges(...rows.map(([, ...row]) => row)).map((one, i) => ({ ...one, session: rows[i][0] }));
  const { phases, dialectNotes } = correlate(all, { origin: 'http://shop.test' });
  return { operations: [...phases.beforeMain, ...phases.main].map(({ operation }) => operation), notes: dialectNotes };
}

const CREATED = ['POST /items', {}, { status: 201, json: { id: 1 } }];
const CREATES = { post: '/items', capture: { itemId: '$.id' } };
const NO_ID = '2147483647';

describe('a suite with several states becomes a flow with one', () => {
  for (const [title, rows, expected] of [
    [
      'ids that begin again with each application are those of their own',
      [
        ['a', ...CREATED],
        ['b', 'POST /items', { json: { name: 'b' } }, { status: 201, json: { id: 1 } }],
        ['b', 'GET /items/1'],
        ['a', 'DELETE /items/1', {}, 204],
      ],
      [
        CREATES,
        { post: '/items', json: { name: 'b' }, capture: { itemId2: '$.id' } },
        { get: '/items/#{itemId2}' },
        { delete: '/items/#{itemId}' },
      ],
    ],
    [
      'a short id of another application stays',
      [
        ['a', ...CREATED],
        ['b', 'GET /items/1'],
      ],
      [{ post: '/items' }, { get: '/items/1' }],
    ],
    [
      'a rare value is the same one in all applications',
      [
        ['a', 'POST /login', {}, { json: { token: 'q8Zt41Lw09Xs77Kd' } }],
        ['b', 'GET /me', { headers: { Authorization: 'Bearer q8Zt41Lw09Xs77Kd' } }],
        ['b', 'GET /items'],
      ],
      [{ get: '/me', headers: { Authorization: 'Bearer #{token}' } }, { get: '/items' }],
    ],
    [
      'an id that a second document of a collection gets is that of the second one',
      [
        ['a', ...CREATED],
        ['a', 'GET /items/1'],
        ['a', 'POST /items', { json: { b: 1 } }, { status: 201, json: { id: 1 } }],
        ['a', 'DELETE /items/1', {}, 204],
        ['a', 'GET /items/1', {}, 404],
      ],
      [
        CREATES,
        { get: '/items/#{itemId}' },
        { post: '/items', json: { b: 1 }, capture: { itemId: '$.id' } },
        { delete: '/items/#{itemId}' },
        { get: '/items/#{itemId}', expect: { status: 404 } },
      ],
    ],
    [
      'an id that is not there although nobody has deleted it is that of nobody',
      [
        ['a', ...CREATED],
        ['a', 'GET /items/1', {}, 404],
        ['b', 'GET /items/999', {}, 404],
        ['b', 'GET /other/9', {}, 404],
      ],
      [
        { post: '/items' },
        { get: `/items/${NO_ID}`, expect: { status: 404 } },
        { get: `/items/${NO_ID}`, expect: { status: 404 } },
        { get: '/other/9', expect: { status: 404 } },
      ],
    ],
    [
      'an id that was not there is new in the response after it',
      [
        ['a', 'GET /items/1', {}, 404],
        ['a', ...CREATED],
        ['a', 'GET /items/1'],
      ],
      [{ get: `/items/${NO_ID}`, expect: { status: 404 } }, CREATES, { get: '/items/#{itemId}' }],
    ],
    [
      'a document that others must not see is that of its owner',
      [
        ['a', 'POST /items', { headers: { Authorization: 'Basic YTpi' } }, { status: 201, json: { id: 1 } }],
        ['a', 'GET /items/1', {}, 404],
      ],
      [
        { ...CREATES, auth: { user: 'a', pass: 'b' } },
        { get: '/items/#{itemId}', expect: { status: 404 } },
      ],
    ],
    [
      'each application signs up a user of its own',
      ['a', 'b'].flatMap((session) => [
        [session, 'POST /users', { json: { email: 'me@x.test', password: 'p' } }, 201],
        [session, 'POST /find', { json: { email: 'me@x.test' } }],
      ]),
      ['', '2-'].flatMap((mark) => [
        { post: '/users', json: { email: `me+${mark}#{INDEX}@x.test`, password: 'p' } },
        { post: '/find', json: { email: `me+${mark}#{INDEX}@x.test` } },
      ]),
    ],
    [
      'a name that a server refused twice is another one for each document',
      [
        ['a', 'POST /posts', { json: { title: 'x', kind: 'k' } }, 201],
        ['a', 'POST /posts', { json: { title: 'x', kind: 'k' } }, 409],
        ['b', 'POST /posts', { json: { title: 'x', kind: 'k' } }, 201],
      ],
      [
        { post: '/posts', json: { title: 'x-#{INDEX}', kind: 'k' } },
        { post: '/posts', json: { title: 'x-#{INDEX}', kind: 'k' }, expect: { status: 409 } },
        { post: '/posts', json: { title: 'x-2-#{INDEX}', kind: 'k' } },
      ],
    ],
    [
      'a document that the flow deletes and does not create may be gone',
      [
        ['a', 'GET /items/1'],
        ['a', 'DELETE /items/1', {}, 204],
        ['b', 'GET /items', {}, { json: [{ id: 1 }] }],
        ['b', 'GET /items/1'],
      ],
      [
        { get: '/items/1', expect: { status: [200, 404] } },
        { delete: '/items/1', expect: { status: [204, 404] } },
        { get: '/items', capture: { itemId: '$[0].id' } },
        { get: '/items/#{itemId}', expect: { status: [200, 404] } },
      ],
    ],
    [
      'equal requests have each status of the recording, unless cookies make them differ',
      [
        ['a', 'GET /cart', {}, 404],
        ['b', 'GET /cart'],
        ['b', 'GET /me', {}, 401],
        ['b', 'GET /me', { headers: { Cookie: 'known=from-before' } }],
      ],
      [
        { get: '/cart', expect: { status: [200, 404] }, repeat: 2 },
        { get: '/me', expect: { status: 401 } },
        { get: '/me', cookies: { known: 'from-before' } },
      ],
    ],
  ])
    it(title, () => expect(flowOf(...rows).operations).to.deep.equal(expected));

  it('and names requests whose status it cannot know', () =>
    expect(flowOf(['a', 'GET /cart', {}, 404], ['b', 'GET /cart']).notes).to.deep.equal([
      'GET /cart: its status depends on other requests, so 200 and 404 are expected',
    ]));

  it('and logs in for each iteration if one of them logs out, also before its end', () => {
    const rows = [
      ['POST /login', { json: { user: 'ann', password: 'p' } }, { json: { token: 'q8Zt41Lw09Xs77Kd' } }],
      ['POST /logout', { headers: { Authorization: 'Bearer q8Zt41Lw09Xs77Kd' } }],
      ['GET /items'],
    ];
    expect(correlate(exchanges(...rows)).phases.beforeMain.length).to.equal(1);
    expect(correlate(exchanges(...rows.toSpliced(1, 1))).phases.before.length).to.equal(1);
  });

  it('but a recording of one server has what it had', () => {
    const { phases } = correlate(exchanges(['GET /cart', {}, 404], ['GET /cart'], ['DELETE /items/1', {}, 204]));
    expect(phases.main.map(({ operation }) => operation)).to.deep.equal([
      { get: '/cart', expect: { status: 404 } },
      { get: '/cart' },
      { delete: '/items/1' },
    ]);
  });
});
