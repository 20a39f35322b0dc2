import http from 'node:http';

import { expect } from 'chai';

import { serverOf } from '../../../lib/addons/server/target-kinds.js';

describe('kinds of targets', () => {
  const server = () => http.createServer((_request, response) => response.end());
  const never = () => new Promise(() => {});
  const wrong = new Error('a plugin is missing');
  const app = (change) => ({ ready: async () => {}, server: server(), ...change });

  for (const [what, target, reason] of [
    ['a callback() that returns a number', { callback: () => 5 }, /instead of a \(request, response\)/],
    ['a callback() that returns a promise', { callback: async () => () => {} }, /instead of a \(request, response\)/],
    ['a callback() that throws', { callback: () => expect.fail('no routes') }, /target: .* no routes/],
    ['an application whose ready() rejects', app({ ready: () => Promise.reject(wrong) }), /a plugin is missing/],
    ['an application that never gets ready', app({ ready: never }), /not ready after 0.05 s/],
    ['an application without a server', { init: async () => {}, getHttpServer: () => null }, /it has no http\.Server/],
  ])
    it(`${what} is refused with the reason`, async () => {
      const error = await serverOf(target, 50).then(
        () => null,
        (thrown) => thrown,
      );
      expect(error).to.include({ code: 'E_RUN_OPTIONS' });
      expect(error.message).to.match(reason);
    });
});
