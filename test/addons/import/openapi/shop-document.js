const object = (properties, required) => ({ type: 'object', properties, ...(required && { required }) });
const text = { type: 'string' };
const json = (schema) => ({ content: { 'application/json': { schema } } });
const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const path = (name, schema = text) => ({ name, in: 'path', required: true, schema });
const carts = ['carts'];

/** A document with collections, items, a login, and what can go wrong. */
export const SHOP = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.example/v1' }],
  security: [{ login: [] }],
  paths: {
    '/login': {
      post: {
        security: [],
        requestBody: json(
          object({ user: text, password: { type: 'string', format: 'password' } }, ['user', 'password']),
        ),
        responses: { 200: json(object({ access_token: text })) },
      },
    },
    '/products': { get: { responses: { 200: json({ type: 'array', items: ref('Product') }) } } },
    '/products/{id}': {
      parameters: [path('id')],
      delete: { responses: { 204: {} } },
      get: { responses: { 200: json(ref('Product')) } },
    },
    '/carts/{cartId}': {
      parameters: [path('cartId')],
      get: { tags: carts, responses: { 200: {} } },
      put: { tags: carts, requestBody: json(ref('Cart')), responses: { 200: {}, 204: {} } },
      delete: { tags: carts, responses: { 204: {} } },
    },
    '/carts/{cartId}/legacy': {
      get: { tags: carts, operationId: 'legacyCart', deprecated: true, responses: { 200: {} } },
    },
    '/carts': {
      post: {
        tags: carts,
        summary: 'Open a cart',
        requestBody: json(ref('Cart')),
        responses: { 201: json(object({ data: object({ id: text }) })), 400: {} },
      },
    },
    '/carts/{cartId}/items': {
      parameters: [path('cartId')],
      get: { tags: carts, responses: { 200: {} } },
      post: {
        tags: carts,
        requestBody: json(
          object({ product: { type: 'string', format: 'uuid' }, count: { type: 'integer' } }, ['product', 'count']),
        ),
        responses: { 201: json(ref('Item')) },
      },
    },
    '/carts/{cartId}/items/{itemId}': {
      parameters: [path('cartId'), path('itemId')],
      patch: {
        tags: carts,
        requestBody: { content: { 'application/json': { example: { count: 2 } } } },
        responses: { 200: {} },
      },
      delete: { tags: carts, responses: { 204: {} } },
    },
    '/notes/{key}': {
      parameters: [path('key')],
      get: { responses: { 200: {} } },
      put: { requestBody: json(object({ text })), responses: { 201: {}, 204: {} } },
    },
    '/reports/{year}': {
      get: { parameters: [path('year', { type: 'integer', example: 2026 })], responses: { 200: {} } },
    },
  },
  components: {
    schemas: {
      Product: object({ id: text, name: text }),
      Cart: object({ currency: { type: 'string', enum: ['EUR', 'USD'] } }),
      Item: { allOf: [object({ id: { type: 'integer' } }), object({ product: text })] },
    },
    securitySchemes: { login: { type: 'http', scheme: 'bearer' } },
  },
};
