import { expect } from 'chai';

import { correlate } from '../../../../lib/addons/import/correlation/correlate.js';
import { START, exchanges } from '../../../support/exchanges.js';

/** The operations of all phases that a recording becomes. */
const operations = (rows, options) => {
  const { phases } = correlate(exchanges(...rows), options);
  return [...phases.before, ...phases.beforeMain, ...phases.main, ...phases.afterMain].map(
    ({ operation }) => operation,
  );
};
const main = (...rows) => correlate(exchanges(...rows)).phases.main.map(({ operation }) => operation);

const UUID = '6f1c4a52-8f0e-4c7e-9b52-0d9c1f3a7b11';
const ITEM = ['POST /items', { json: { name: 'lamp' } }];

describe('import/correlation', () => {
  it('a header field that is sent several times has all of its values', () => {
    const [exchange] = exchanges(['GET /']);
    exchange.request.headers.push(['X-Tag', 'a'], ['x-tag', 'b']);
    expect(correlate([exchange]).phases.main[0].operation).to.deep.equal({
      get: '/',
      headers: { 'X-Tag': ['a', 'b'] },
    });
  });

  describe('captures', () => {
    for (const [title, rows, expected] of [
      [
        'an id of JSON that the path of a later request has',
        [[...ITEM, { status: 201, json: { id: 17, name: 'lamp' } }], ['GET /items/17'], ['DELETE /items/17', {}, 204]],
        [
          { post: '/items', json: { name: 'lamp' }, capture: { itemId: '$.id' } },
          { get: '/items/#{itemId}' },
          { delete: '/items/#{itemId}' },
        ],
      ],
      [
        'a part of the field Location, where the body has no id',
        [[...ITEM, { status: 201, headers: { Location: '/items/17' } }], ['GET /items/17/parts']],
        [
          {
            post: '/items',
            json: { name: 'lamp' },
            capture: { itemId: { header: 'location', match: 'items/([^/?#]+)' } },
          },
          { get: '/items/#{itemId}/parts' },
        ],
      ],
      [
        'a member that a later JSON repeats, with its type',
        [
          ['GET /me', {}, { json: { user: { id: 5 }, cart: 'c-81f2a90b' } }],
          ['POST /orders', { json: { userId: 5, cart: 'c-81f2a90b', note: 'for c-81f2a90b', text: '5' } }],
        ],
        [
          { get: '/me', capture: { userId: '$.user.id', cart: '$.cart' } },
          { post: '/orders', json: { userId: '#{userId}', cart: '#{cart}', note: 'for #{cart}', text: '5' } },
        ],
      ],
      [
        'a number that is sent as text, and a text that is sent as a number, with a conversion',
        [
          ['GET /me', {}, { json: { accountId: 7001234, orderId: '8001234' } }],
          ['POST /x', { json: { accountId: '7001234', orderId: 8001234 } }],
        ],
        [
          { get: '/me', capture: { accountId: '$.accountId', orderId: '$.orderId' } },
          { post: '/x', json: { accountId: '#{accountId:text}', orderId: '#{orderId:number}' } },
        ],
      ],
      [
        'a hidden field of a form',
        [
          ['GET /comment', {}, { html: '<form><input type="hidden" name="_csrf" value="q8Zr71LmXw02"></form>' }],
          ['POST /comment', { form: { _csrf: 'q8Zr71LmXw02', text: 'hello' } }],
        ],
        [
          { get: '/comment', capture: { csrf: { text: 'name="_csrf" value="([^"]+)"' } } },
          { post: '/comment', form: { _csrf: '#{csrf}', text: 'hello' } },
        ],
      ],
      [
        'a token of a <meta> element that a field has',
        [
          ['GET /', {}, { html: '<meta content="q8Zr71LmXw02" name="csrf-token">' }],
          ['POST /x', { headers: { 'X-CSRF-Token': 'q8Zr71LmXw02' } }],
        ],
        [
          { get: '/', capture: { csrfToken: { text: 'content="([^"]+)" name="csrf-token"' } } },
          { post: '/x', headers: { 'X-CSRF-Token': '#{csrfToken}' } },
        ],
      ],
      [
        'a value of a script in a page, by the text before it',
        [['GET /', {}, { html: '<script>window.nonce = "aB3dE5fG7h";</script>' }], ['GET /data?nonce=aB3dE5fG7h']],
        [{ get: '/', capture: { nonce: { text: 'window\\.nonce = "([\\w-]+)' } } }, { get: '/data?nonce=#{nonce}' }],
      ],
      [
        'a cookie that a field repeats',
        [
          ['GET /', {}, { cookies: ['XSRF-TOKEN=q8Zr71LmXw02; Path=/'] }],
          ['POST /x', { headers: { 'X-XSRF-TOKEN': 'q8Zr71LmXw02', Cookie: 'XSRF-TOKEN=q8Zr71LmXw02' } }],
        ],
        [
          { get: '/', capture: { xsrfToken: { cookie: 'XSRF-TOKEN' } } },
          { post: '/x', headers: { 'X-XSRF-TOKEN': '#{xsrfToken}' } },
        ],
      ],
      [
        'the decoded value of a cookie that a field repeats',
        [
          ['GET /', {}, { cookies: ['XSRF-TOKEN=q8Zr71LmXw02%3D%3D; Path=/'] }],
          ['POST /x', { headers: { 'X-XSRF-TOKEN': 'q8Zr71LmXw02==', Cookie: 'XSRF-TOKEN=q8Zr71LmXw02%3D%3D' } }],
        ],
        [
          { get: '/', capture: { xsrfToken: { cookie: 'XSRF-TOKEN', decode: 'percent' } } },
          { post: '/x', headers: { 'X-XSRF-TOKEN': '#{xsrfToken}' } },
        ],
      ],
      [
        'the decoded value of a hidden field with character references',
        [
          ['GET /comment', {}, { html: '<form><input type="hidden" name="_csrf" value="q8Zr71&#x2B;LmXw02"></form>' }],
          ['POST /comment', { form: { _csrf: 'q8Zr71+LmXw02' } }],
        ],
        [
          { get: '/comment', capture: { csrf: { text: 'name="_csrf" value="([^"]+)"', decode: 'html' } } },
          { post: '/comment', form: { _csrf: '#{csrf}' } },
        ],
      ],
      [
        'a parameter of a link in which &amp; is in front of it',
        [
          ['GET /a', {}, { html: '<a href="/b?page=1&amp;key=q8Zr71LmXw02&amp;x=1">b</a>' }],
          ['GET /b?page=1&key=q8Zr71LmXw02&x=1'],
        ],
        [
          { get: '/a', capture: { key: { text: '"/b\\?page=1&amp;key=([^"\'/?#&\\s>]+)' } } },
          { get: '/b?page=1&key=#{key}&x=1' },
        ],
      ],
      [
        'the decoded parameter of a URL',
        [
          ['POST /login', {}, { status: 201, headers: { Location: '/done?code=q8Zr71%2BLmXw02' } }],
          ['POST /x', { json: { code: 'q8Zr71+LmXw02' } }],
        ],
        [
          {
            post: '/login',
            capture: { code: { header: 'location', match: '[?&]code=([^&#]+)', decode: 'percent' } },
          },
          { post: '/x', json: { code: '#{code}' } },
        ],
      ],
      [
        'a hidden field rather than the cookie that repeats it, which the jar keeps',
        [
          [
            'GET /form',
            {},
            { cookies: ['csrf=q8Zr71LmXw02'], html: '<input type="hidden" name="csrf" value="q8Zr71LmXw02">' },
          ],
          ['POST /form', { form: { csrf: 'q8Zr71LmXw02' }, headers: { Cookie: 'csrf=q8Zr71LmXw02' } }],
        ],
        [
          { get: '/form', capture: { csrf: { text: 'name="csrf" value="([^"]+)"' } } },
          { post: '/form', form: { csrf: '#{csrf}' } },
        ],
      ],
      [
        'a cursor in the link of a list',
        [
          ['GET /items', {}, { json: { next: '/items?cursor=Zm9vYmFyMTIz', items: [] } }],
          ['GET /items?cursor=Zm9vYmFyMTIz'],
        ],
        [
          { get: '/items', capture: { cursor: { json: '$.next', match: '[?&]cursor=([^&#]+)' } } },
          { get: '/items?cursor=#{cursor}' },
        ],
      ],
      [
        'an id in the middle of a list',
        [['GET /items', {}, { json: [{ id: 4 }, { id: 9 }] }], ['GET /items/9']],
        [{ get: '/items', capture: { itemId: '$[1].id' } }, { get: '/items/#{itemId}' }],
      ],
      [
        'a name that is no word of JSONPath',
        [['GET /a', {}, { json: { 'x-id': 'a81f2a90b77' } }], ['GET /b/a81f2a90b77']],
        [{ get: '/a', capture: { id: "$['x-id']" } }, { get: '/b/#{id}' }],
      ],
    ])
      it(title, () => expect(operations(rows)).to.deep.equal(expected));

    it('no pattern has another value of the response in it', () => {
      const script = '<script>a("k9Zr71LmXw55","q8Zr71LmXw02")</script>';
      const rows = [['GET /', {}, { html: script }], ['GET /b?x=q8Zr71LmXw02']];
      expect(JSON.stringify(operations(rows))).not.to.contain('k9Zr71LmXw55');
    });

    it('a place below the name of an id is the last choice', () =>
      expect(
        operations([
          ['GET /a', {}, { json: { b81f2a90b77: { ref: 'c81f2a90b77' } } }],
          ['GET /b', {}, { json: { ref: 'c81f2a90b77' } }],
          ['GET /c/c81f2a90b77'],
        ])[1].capture,
      ).to.deep.equal({ bRef: '$.ref' }));

    it('a comment gives the reason, and names a guess', () => {
      const rows = [
        [...ITEM, { status: 201, json: { id: 17, key: 'a81f2a90b77' } }],
        ['GET /items/17?key=a81f2a90b77'],
        ['GET /items/17'],
      ];
      expect(correlate(exchanges(...rows)).phases.main[0].comments).to.deep.equal([
        'itemId is $.id: 2 later requests have it in the path. The value is short: this is guessed from the names.',
        'itemKey is $.key: a later request has it in the query parameter key.',
      ]);
    });

    it('a name is used again when the requests with the value before are over', () => {
      const rows = [
        ['GET /a', {}, { json: { token: 'a81f2a90b77' } }],
        ['GET /b?token=a81f2a90b77', {}, { json: { token: 'b81f2a90b77' } }],
        ['GET /c?token=b81f2a90b77'],
      ];
      expect(operations(rows)).to.deep.equal([
        { get: '/a', capture: { token: '$.token' } },
        { get: '/b?token=#{token}', capture: { token: '$.token' } },
        { get: '/c?token=#{token}' },
      ]);
    });
  });

  describe('does not capture', () => {
    for (const [title, ...rows] of [
      [
        'numbers of other things',
        ['GET /a', {}, { json: { count: 2, page: 3, total: 10 } }],
        ['GET /items/2?page=3&limit=10'],
      ],
      [
        'words',
        ['GET /a', {}, { json: { type: 'lamp', name: 'book', id: 'main' } }],
        ['GET /items/lamp?name=book&id=main'],
      ],
      ['true and null', ['GET /a', {}, { json: { done: true, next: null } }], ['GET /b?done=true&next=null']],
      ['an id of another collection', ['GET /users', {}, { json: [{ id: 3 }] }], ['GET /items/3']],
      [
        'media types, languages and versions',
        ['GET /a', {}, { json: { lang: 'en-US', v: '1.12.4' } }],
        ['GET /b?lang=en-US&v=1.12.4'],
      ],
      ['dates without a time', ['GET /a', {}, { json: { date: '2026-01-05' } }], ['GET /b?date=2026-01-05']],
      [
        'what the client sent first',
        ['GET /items/a81f2a90b77', {}, { json: { id: 'a81f2a90b77' } }],
        ['PUT /items/a81f2a90b77'],
      ],
      ['a short id that the client sent first', ['GET /items/7', {}, { json: { id: 7 } }], ['POST /items/7']],
      [
        'prototype names',
        ['GET /a', {}, { json: { constructor: 'x', __proto__: 'y' } }],
        ['GET /constructor/toString?__proto__=x'],
      ],
    ])
      it(title, () => expect(main(...rows).some(({ capture }) => capture)).to.equal(false));

    it('a value of a response that had not arrived when the request was sent', () => {
      const all = exchanges(['GET /a', {}, { json: { id: 'a81f2a90b77' } }], ['GET /b/a81f2a90b77']);
      all[0].endedAt = START + 1000;
      expect(correlate(all).phases.main[0].operation).to.deep.equal({ get: '/a' });
    });
  });

  describe('redirects', () => {
    const redirect = ['POST /items', { form: { name: 'lamp' } }, { status: 303, headers: { Location: '/items/17' } }];

    it('that the client followed are one operation', () =>
      expect(
        main(redirect, ['GET /items/17', {}, { html: '<a href="/items/17/edit">' }], ['GET /about']),
      ).to.deep.equal([{ post: '/items', form: { name: 'lamp' }, followAllRedirects: true }, { get: '/about' }]));

    it('are not followed if a later request needs what only the redirect has', () =>
      expect(main(redirect, ['GET /items/17', {}, { html: 'done' }], ['GET /items/17/parts'])).to.deep.equal([
        {
          post: '/items',
          form: { name: 'lamp' },
          capture: { itemId: { header: 'location', match: 'items/([^/?#]+)' } },
        },
        { get: '/items/#{itemId}' },
        { get: '/items/#{itemId}/parts' },
      ]));

    it('that the client did not follow are not followed', () =>
      expect(main(['GET /a', {}, { status: 302, headers: { Location: '/b' } }], ['GET /c'])[0]).to.deep.equal({
        get: '/a',
        followRedirect: false,
      }));
  });

  describe('values of the client', () => {
    it('a UUID is random', () =>
      expect(
        main(['POST /x', { json: { id: UUID }, headers: { 'Idempotency-Key': UUID.replace('6', '7') } }]),
      ).to.deep.equal([{ post: '/x', headers: { 'Idempotency-Key': '#{uuid}' }, json: { id: '#{uuid.b}' } }]));

    it('a UUID of a header field that names one request is random, and one of a tenant stays', () => {
      const headers = { 'x-ms-client-request-id': UUID, 'x-tenant-id': UUID.replace('6', '7') };
      expect(main(['GET /x', { headers }])).to.deep.equal([
        { get: '/x', headers: { ...headers, 'x-ms-client-request-id': '#{uuid}' } },
      ]);
    });

    it('a UUID of several requests is captured from the response that repeats it', () =>
      expect(
        main(['POST /items', { json: { id: UUID } }, { json: { id: UUID } }], [`GET /items/${UUID}`]),
      ).to.deep.equal([
        { post: '/items', json: { id: '#{uuid}' }, capture: { itemId: '$.id' } },
        { get: '/items/#{itemId}' },
      ]));

    for (const [title, ...row] of [
      ['a path', `GET /items/${UUID}`],
      ['a path of a POST', `POST /items/${UUID}/likes`, { json: {} }, 201],
      ['a query', `GET /items?tenant=${UUID}`],
      ['a key', 'GET /items', { headers: { 'X-Api-Key': UUID } }],
      ['a list to delete', 'DELETE /items', { json: { ids: [UUID] } }],
      [
        'a query of GraphQL',
        'POST /graphql',
        { json: { query: 'query a($id: ID!) { a(id: $id) }', variables: { id: UUID } } },
      ],
      ['a tenant', 'GET /items', { headers: { 'X-Tenant-Id': UUID } }],
    ])
      it(`a UUID that existed before stays: ${title}`, () =>
        expect(JSON.stringify(main(row)))
          .to.include(UUID)
          .and.not.include('#{'));

    it('the UUID of a document that the request creates is random', () =>
      expect(main([`PUT /items/${UUID}`, { json: { id: UUID } }, 201])).to.deep.equal([
        { put: '/items/#{uuid}', json: { id: '#{uuid}' } },
      ]));

    it('each of many UUIDs of a request has a name of its own', () => {
      const ids = Array.from({ length: 30 }, (_, i) => UUID.slice(0, -2) + (10 + i));
      expect(new Set(main(['POST /x', { json: { ids } }])[0].json.ids).size).to.equal(30);
    });

    it('a UUID that names requests is another one for each', () => {
      const headers = { 'X-Request-Id': UUID };
      const own = { 'X-Request-Id': '#{uuid.request}' };
      expect(main(['GET /a', { headers }], ['GET /b'], ['GET /c', { headers }])).to.deep.equal([
        { get: '/a', headers: own },
        { get: '/b' },
        { get: '/c', headers: own },
      ]);
    });

    it('the time of the request is a token of the same form', () =>
      expect(
        main([
          'POST /x',
          { json: { at: START, s: Math.floor(START / 1000), iso: new Date(START).toISOString(), day: '2026-02-01' } },
        ]),
      ).to.deep.equal([
        { post: '/x', json: { at: '#{timestampMs}', s: '#{timestamp}', iso: '#{isoTimestamp}', day: '2026-02-01' } },
      ]));

    it('a document that the client names gets the number of the iteration', () =>
      expect(
        main(
          ['PUT /carts/cart-1', { json: { item: 'book' } }, { status: 201, json: { item: 'book' } }],
          ['GET /carts/cart-1'],
          ['PUT /other', { json: { cartId: 'cart-1' } }, 200],
          ['DELETE /carts/cart-1', {}, 204],
        ),
      ).to.deep.equal([
        { put: '/carts/cart-1-#{INDEX}', json: { item: 'book' } },
        { get: '/carts/cart-1-#{INDEX}' },
        { put: '/other', json: { cartId: 'cart-1-#{INDEX}' } },
        { delete: '/carts/cart-1-#{INDEX}' },
      ]));

    it('the name of a document is also replaced in its body', () =>
      expect(main(['PUT /docs/report-a', { json: { id: 'report-a', title: 'report-a' } }, 201])).to.deep.equal([
        { put: '/docs/report-a-#{INDEX}', json: { id: 'report-a-#{INDEX}', title: 'report-a' } },
      ]));

    for (const [path, request = { json: { a: 1 } }] of [
      ['/posts/5/like', {}],
      ['/posts/5/like'],
      ['/groups/5/members/ann', {}],
      ['/cart'],
      ['/settings'],
      ['/users/me'],
      ['/users/me/avatar'],
      ['/api/v1'],
    ])
      it(`PUT ${path}${request.json ? '' : ' without a body'} creates no document of its own`, () => {
        const rows = [
          [`PUT ${path}`, request, 201],
          [`DELETE ${path}`, {}, 204],
        ];
        expect(JSON.stringify(main(...rows))).to.not.include('INDEX');
      });

    it('a document that was read before keeps its name', () => {
      const path = '/docs/report-a';
      const rows = [[`GET ${path}`], [`PUT ${path}`, { json: { a: 1 } }], [`DELETE ${path}`, {}, 204]];
      expect(JSON.stringify(main(...rows))).to.not.include('INDEX');
      rows[0].push({}, 404);
      expect(JSON.stringify(main(...rows))).to.include('/docs/report-a-#{INDEX}');
    });

    it('a form with passport and passengers is no sign-up', () =>
      expect(
        JSON.stringify(
          main(['POST /accounts', { json: { email: 'a@b.test', passportNumber: 'P1', passengers: 2 } }, 201]),
        ),
      ).to.not.include('INDEX'));

    it('a handle that begins with @ keeps it', () =>
      expect(operations([['POST /signup', { json: { handle: '@ann', password: 'p' } }, 201]])[0].json.handle).to.equal(
        '@ann-#{INDEX}',
      ));

    it('a user who signs up is another one in each iteration', () =>
      expect(
        operations([
          ['POST /register', { json: { email: 'ann@shop.test', password: 'pw1' } }, 201],
          ['POST /login', { json: { email: 'ann@shop.test', password: 'pw1' } }, { json: { token: 'a81f2a90b77' } }],
          ['GET /me', { headers: { Authorization: 'Bearer a81f2a90b77' } }],
        ]).map(({ json }) => json?.email),
      ).to.deep.equal(['ann+#{INDEX}@shop.test', 'ann+#{INDEX}@shop.test', undefined]));

    it('text that looks like a token is sent as it is', () => {
      const { phases, properties } = correlate(exchanges(['POST /x', { json: { a: 'a #{INDEX} b' } }]));
      expect(phases.main[0].operation).to.deep.equal({ post: '/x', json: { a: 'a #{hash}{INDEX} b' } });
      expect(properties).to.deep.equal({ vars: { hash: '#' } });
    });
  });

  describe('phases', () => {
    const login = ['POST /login', { json: { user: 'ann', password: 'pw1' } }, { json: { token: 'a81f2a90b77' } }];
    const auth = { headers: { Authorization: 'Bearer a81f2a90b77' } };

    it('a login that returns a token runs once, and its field is one of the flow', () => {
      const { phases, properties } = correlate(exchanges(login, ['GET /a', auth], ['GET /b', auth], ['GET /c', auth]));
      expect(phases.before.map(({ operation }) => operation.post)).to.deep.equal(['/login']);
      expect(phases.main.map(({ operation }) => operation)).to.deep.equal([
        { get: '/a' },
        { get: '/b' },
        { get: '/c' },
      ]);
      expect(properties).to.deep.equal({ headers: { Authorization: 'Bearer #{token}' } });
    });

    it('a login that sets a cookie runs in every iteration, with the page before it, and the jar keeps the cookie', () => {
      const { phases } = correlate(
        exchanges(
          ['GET /login', {}, { html: '<form>' }],
          ['POST /login', { form: { user: 'ann', password: 'pw1' } }, { cookies: ['sid=81f2a90b; HttpOnly'] }],
          ['GET /a', { headers: { Cookie: 'sid=81f2a90b' } }],
          ['POST /logout', { headers: { Cookie: 'sid=81f2a90b' } }],
        ),
      );
      expect(phases.beforeMain.map(({ operation }) => operation.get ?? operation.post)).to.deep.equal([
        '/login',
        '/login',
      ]);
      expect(phases.main.map(({ operation }) => operation)).to.deep.equal([{ get: '/a' }]);
      expect(phases.afterMain.map(({ operation }) => operation)).to.deep.equal([{ post: '/logout' }]);
    });

    it('the comment of a login from which nothing is captured names no token', () => {
      const { before } = correlate(exchanges(['POST /login', { json: { password: 'pw' } }, 204], ['GET /a'])).phases;
      expect(before[0].comments).to.deep.equal([
        'Logs in once for the whole run: no later request has a value from it.',
      ]);
    });

    it('a login in the middle stays there', () => {
      const { phases } = correlate(exchanges(['POST /x'], login, ['GET /a', auth]));
      expect([phases.before.length, phases.beforeMain.length, phases.main.length]).to.deep.equal([0, 0, 3]);
    });
  });

  it('a comment names a response that has no end', () => {
    const [half] = exchanges(['GET /half']);
    half.response.hasNoEnd = true;
    expect(correlate([half]).phases.main[0].comments).to.deep.equal([
      'The response has no end in the recording: the server broke it off, or it is a stream.',
    ]);
  });

  it('a status of 400 or more is expected', () =>
    expect(main(['GET /a', {}, 404])).to.deep.equal([{ get: '/a', expect: { status: 404 } }]));

  it('cookies from before the recording are sent, those of analytics are not', () =>
    expect(main(['GET /a', { headers: { Cookie: 'theme=dark; _ga=GA1.2' } }])).to.deep.equal([
      { get: '/a', cookies: { theme: 'dark' } },
    ]));

  it('hooks keep the ETags of the recording; that of a cache is left out', () =>
    expect(
      main(
        ['GET /doc', { headers: { 'If-None-Match': '"old"' } }, { headers: { ETag: '"v1"' }, json: {} }],
        ['PUT /doc', { json: {}, headers: { 'If-Match': '"v1"' } }, { headers: { ETag: '"v2"' } }],
        ['PUT /doc', { json: {}, headers: { 'If-Match': '"v1"' } }, 412],
      ),
    ).to.deep.equal([
      { get: '/doc', afterHooks: ['saveEtag'] },
      { put: '/doc', json: {}, beforeHooks: ['useEtag'] },
      { put: '/doc', headers: { 'If-Match': '"v1"' }, json: {}, expect: { status: 412 } },
    ]));

  it('equal requests in succession are one that is repeated', () =>
    expect(main(['GET /a'], ['GET /a'], ['GET /a'], ['GET /b'])).to.deep.equal([
      { get: '/a', repeat: 3 },
      { get: '/b' },
    ]));

  it('pauses are dropped, kept or scaled', () => {
    const all = exchanges(['GET /a'], ['GET /b']);
    all[1].startedAt = START + 2550;
    expect(correlate(all).phases.main[0].operation).to.deep.equal({ get: '/a' });
    expect(correlate(all, { thinkTime: 1 }).phases.main[0].operation).to.deep.equal({ get: '/a', pause: '2.5s' });
    expect(correlate(all, { thinkTime: 0.1 }).phases.main[0].operation).to.deep.equal({ get: '/a', pause: 250 });
  });

  describe('bodies', () => {
    const sent = (type, text) => main(['POST /x', { text, headers: { 'content-type': type } }])[0];

    for (const [title, type, text, expected] of [
      [
        'numbers that JavaScript would change',
        'application/json',
        '{"id":12345678901234567890}',
        { body: '{"id":12345678901234567890}' },
      ],
      ['broken JSON', 'application/json', '{"a":', { body: '{"a":' }],
      ['a form with a name twice', 'application/x-www-form-urlencoded', 'a=1&a=2', { body: 'a=1&a=2' }],
      [
        'JSON with the type of a form, as curl -d sends it',
        'application/x-www-form-urlencoded',
        '{"a":1}',
        { body: '{"a":1}' },
      ],
      ['XML', 'application/xml', '<a/>', { body: '<a/>' }],
    ])
      it(`${title}: text`, () => {
        const { headers, post, ...body } = sent(type, text);
        expect([post, headers?.['content-type'], body]).to.deep.equal(['/x', type, expected]);
      });

    it('JSON that is nested too deeply for a person: text', () =>
      expect(sent('application/json', '['.repeat(5000) + ']'.repeat(5000)).body).to.have.lengthOf(10_000));

    it('multipart/form-data: its parts', () => {
      const text = [
        ...['--x', 'Content-Disposition: form-data; name="title"', '', 'a', '--x'],
        ...[
          'Content-Disposition: form-data; name="f"; filename="a.txt"',
          'Content-Type: text/plain',
          '',
          'b',
          '--x--',
          '',
        ],
      ].join('\r\n');
      expect(sent('multipart/form-data; boundary=x', text)).to.deep.equal({
        post: '/x',
        formData: { title: 'a', f: { value: 'b', filename: 'a.txt', contentType: 'text/plain' } },
      });
    });
  });

  it('static files, other sites, preflights and failed requests are left out and named', () => {
    const { phases, skipped } = correlate(
      exchanges(
        ['GET /'],
        ['GET /app.js'],
        ['GET https://cdn.test/x?token=secret1'],
        ['OPTIONS /a', { headers: { 'Access-Control-Request-Method': 'POST' } }],
        ['GET /b', {}, { status: 0 }],
      ),
    );
    expect(phases.main.map(({ operation }) => operation)).to.deep.equal([{ get: '/' }]);
    expect(skipped.map(({ what }) => what)).to.deep.equal([
      '1 request: GET http://shop.test/app.js',
      '1 request: GET https://cdn.test/x',
      '1 request: OPTIONS http://shop.test/a',
      '1 request: GET http://shop.test/b',
    ]);
  });

  it('include keeps static files, and URLs by their beginning', () =>
    expect(
      operations([['GET /'], ['GET /app.js'], ['GET https://cdn.test/x'], ['GET https://other.test/']], {
        include: ['static', 'https://cdn.test/'],
      }).map(({ get }) => get),
    ).to.deep.equal(['/', '/app.js', 'https://cdn.test/x']));

  it('include keeps other sites, but not their static files and failed requests', () =>
    expect(
      operations([['GET /'], ['GET https://b.test/x'], ['GET https://b.test/x.css'], ['GET https://b.test/y', {}, 0]], {
        include: ['third-party'],
      }).map(({ get }) => get),
    ).to.deep.equal(['/', 'https://b.test/x']));

  it('a WebSocket becomes operations: its greeting, then each question with its answers', () => {
    const at = (ms, from, data) => ({ from, at: START + ms, data });
    const all = exchanges(['GET ws://shop.test/chat', {}, { status: 101 }], ['GET /a']);
    all[0].messages = [
      at(10, 'server', '{"session":"a81f2a90b77"}'),
      at(200, 'client', '{"join":"a81f2a90b77"}'),
      at(210, 'server', '{"ok":true}'),
      at(300, 'client', 'bye'),
    ];
    expect(correlate(all).phases.main.map(({ operation }) => operation)).to.deep.equal([
      { ws: '/chat', receive: 1, capture: { session: '$.session' } },
      { get: '/a' },
      { ws: '/chat', send: { json: { join: '#{session}' } } },
      { ws: '/chat', send: 'bye', receive: 0 },
    ]);
  });

  it('a body that was not recorded disables its operation', () => {
    const all = exchanges(['POST /upload']);
    all[0].request.bodyLacks = 'has 9000000 bytes, more than a recording keeps';
    const { phases, skipped } = correlate(all);
    expect(phases.main[0].disabled).to.equal('its body has 9000000 bytes, more than a recording keeps');
    expect(skipped).to.deep.equal([{ what: 'POST /upload', why: phases.main[0].disabled }]);
  });

  it('a body with control characters is bytes, and a large one has a comment', () => {
    const { phases } = correlate(exchanges(['PUT /a', { text: 'a\u0000b' }], ['PUT /b', { text: 'x'.repeat(70_000) }]));
    expect(phases.main[0].operation.body).to.deep.equal(new Uint8Array([97, 0, 98]));
    expect(phases.main[1].comments).to.deep.equal([
      "The body has 70,000 bytes: move it to a file, and write body: { file: '…' }.",
    ]);
  });

  it('a disabled operation captures nothing, so the later ones send what was recorded', () => {
    const all = exchanges(['POST /items', {}, { json: { id: 17 } }], ['GET /items/17']);
    all[0].request.bodyLacks = 'is not in the recording';
    expect(correlate(all).phases.main.map(({ operation }) => operation)).to.deep.equal([
      { post: '/items' },
      { get: '/items/17' },
    ]);
  });

  describe('a second recording', () => {
    const story = (id, nonce) =>
      exchanges(['GET /a', {}, { json: { n: id } }], [`GET /b?x=${id}&nonce=${nonce}`], ['GET /c']);

    it('shows which short values come from a response, and which from nowhere', () => {
      const { phases, dialectNotes } = correlate(story('k7', 'one'), { again: story('m9', 'two') });
      expect(phases.main.map(({ operation }) => operation)).to.deep.equal([
        { get: '/a', capture: { n: '$.n' } },
        { get: '/b?x=#{n}&nonce=one' },
        { get: '/c' },
      ]);
      expect(dialectNotes).to.deep.equal([
        'GET /b: the query parameter nonce differs between the two recordings, and no response has it before; the flow sends the first one',
      ]);
    });

    it('names a UUID that differs, and that the client did not make anew', () => {
      const story = (uuid) => exchanges([`GET /tenants/${uuid}/users`], ['POST /orders', { json: { key: uuid } }]);
      const other = 'b81e5e0c-3b0b-4f6f-8d0a-6a4b8f4f3c55';
      expect(correlate(story(UUID), { again: story(other) }).dialectNotes).to.deep.equal(
        [`GET /tenants/${UUID}/users: the path`, 'POST /orders: $.key of the JSON'].map(
          (value) =>
            `${value} differs between the two recordings, and no response has it before; the flow sends the first one`,
        ),
      );
    });

    it('that differs in its requests is named', () =>
      expect(correlate(story('k7', 'one'), { again: story('k7', 'one').slice(0, 2) }).dialectNotes).to.deep.equal([
        'the recordings differ: 1 request only in the first one, 0 requests only in the second',
      ]));
  });

  it('the same exchanges give the same flow', () => {
    const story = () =>
      exchanges([...ITEM, { json: { id: 17 } }], ['GET /items/17'], ['POST /x', { json: { id: UUID } }]);
    expect(JSON.stringify(correlate(story()))).to.equal(JSON.stringify(correlate(story())));
  });
});
