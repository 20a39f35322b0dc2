// bench-rest -n 1000 -c 50 --serve examples/shop/flow.js
// Many visitors look around, some buy: two scenarios, users of a CSV file, and ids of responses that the next requests use.
export default {
  baseUrl: 'http://localhost:8000',
  data: { users: 'users.csv' },
  before: [
    { put: '/items/book', json: { name: 'a book', price: 12 } },
    { put: '/items/lamp', json: { name: 'a lamp', price: 40 } },
  ],
  scenarios: {
    browse: {
      weight: 8,
      main: [
        { get: '/', pause: { mean: 2, dev: 1 } },
        { oneOf: ['/items/book', '/items/lamp'] },
        { get: '/items/lamp', name: 'compare lamps', repeat: 2, expect: { json: { '$.price': { lte: 50 } } } },
      ],
    },
    buy: {
      weight: 2,
      beforeMain: [
        { post: '/login', json: { user: '#{users.user}' }, capture: { user: '$.user' }, expect: { status: 200 } },
      ],
      main: [
        {
          put: '/carts/#{INDEX}',
          json: { owner: '#{user}', item: 'book' },
          expect: { status: 201 },
          capture: { owner: '$.owner' },
          group: 'checkout',
        },
        {
          get: '/carts/#{INDEX}',
          expect: { json: { '$.owner': '#{users.user}' }, within: '5s' },
          group: 'checkout',
        },
        { put: '/gifts/#{owner}', json: { for: '#{owner}' }, when: { 'users.country': 'CH' } },
      ],
      afterMain: [
        async function leave({ index, request }) {
          await request({ del: `/carts/${index}`, name: 'empty the cart' });
        },
      ],
    },
  },
  thresholds: { 'buy p95': '<5s', 'checkout errors': '<1%', checks: '>99%' },
};
