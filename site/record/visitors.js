// Most visitors look around, some order.
export default {
  scenarios: {
    browse: {
      weight: 3,
      main: [{ get: '/products' }, { get: '/products/#{INDEX}', name: 'GET /products/:id' }],
    },
    buy: {
      main: [
        { get: '/products/#{INDEX}', name: 'GET /products/:id' },
        { post: '/orders', json: { product: '#{INDEX}' }, expect: { status: 201 } },
      ],
    },
  },
  thresholds: { 'browse p95': '<50ms', errors: '<1%' },
};
