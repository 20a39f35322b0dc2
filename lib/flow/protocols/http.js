import { EXPECT } from '../checks/expect.js';

/** @import { Protocol } from './index.js' */

/** HTTP, the protocol of every operation that names no other. @type {Protocol} */
export const HTTP = {
  name: 'http',
  about: 'requests and their responses',
  key: null,
  urlKey: null,
  scheme: 'http',
  noun: { one: 'an HTTP request', many: 'HTTP requests' },
  example: "get: 'http://…'",
  properties: { expect: EXPECT },
  mutable: [],
  computed: {},
  keepsEmpty: false,
  refusals: {},
  refuse: () => [],
  fromUrl: (url, request) => (request === undefined ? { get: url } : { url, ...request }),
  compile: (compiler) => [compiler.requestStep()],
};
