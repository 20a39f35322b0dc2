import { existsSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { ROOT } from '../support/command.js';
import { listen, shut } from '../support/serve.js';
import { until } from '../support/until.js';

const PEERS = join(ROOT, 'bench');
const require = createRequire(join(PEERS, 'package.json'));
const load = async (name) => import(require.resolve(name));

/** Each application answers GET /, adds a header and echoes a body at POST /echo, and sets two cookies at GET /cookies. */
const express = (name) => async () => {
  const { default: create } = await load(name);
  const app = create();
  app.use(create.text());
  app.get('/', (request, response) => response.send('hello'));
  app.post('/echo', (request, response) => response.send(request.body));
  app.get('/cookies', (request, response) => response.cookie('a', '1').cookie('b', '2').end());
  app.get('/fail', (request, response) => response.status(503).end());
  return app;
};

const fastify = (name) => async () => {
  const { default: create } = await load(name);
  const app = create();
  let isReady = false;
  // what a plugin adds is there when the application is ready
  app.register(async (plugin) => {
    await new Promise((resolve) => setImmediate(resolve));
    plugin.get('/', async () => `hello`);
    isReady = true;
  });
  app.post('/echo', async ({ body }) => (isReady ? body : 'too early'));
  app.get('/cookies', (request, reply) => reply.header('set-cookie', ['a=1', 'b=2']).send(''));
  app.get('/fail', async (request, reply) => reply.code(503).send('ouch'));
  return app;
};

const hono = async () => {
  const { Hono } = await load('hono');
  const app = new Hono();
  app.get('/', (c) => c.text('hello'));
  app.post('/echo', async (c) => c.text(await c.req.text()));
  app.get('/cookies', (c) => {
    c.header('set-cookie', 'a=1', { append: true });
    c.header('set-cookie', 'b=2', { append: true });
    return c.body('');
  });
  app.get('/fail', (c) => c.text('ouch', 503));
  return app;
};

const h3 = async () => {
  const { createApp, createRouter, eventHandler, readRawBody, setCookie, setResponseStatus } = await load('h3');
  const router = createRouter()
    .get(
      '/',
      eventHandler(() => 'hello'),
    )
    .post(
      '/echo',
      eventHandler((event) => readRawBody(event)),
    )
    .get(
      '/cookies',
      eventHandler((event) => {
        setCookie(event, 'a', '1');
        setCookie(event, 'b', '2');
        return '';
      }),
    )
    .get(
      '/fail',
      eventHandler((event) => {
        setResponseStatus(event, 503);
        return 'ouch';
      }),
    );
  return createApp().use(router);
};

const ROWS = {
  'Express 5': express('express'),
  'Express 4': express('express-4'),
  'Fastify 5': fastify('fastify'),
  'Fastify 4': fastify('fastify-4'),
  Hono: hono,
  "the fetch function of Hono in an object, as Bun's and Deno's modules export it": async () => ({
    fetch: (await hono()).fetch,
  }),
  'h3 1': h3,
  'toNodeListener of h3 1': async () => (await load('h3')).toNodeListener(await h3()),
  'h3 2': async () => {
    const { H3 } = await load('h3-2');
    return new H3()
      .get('/', () => 'hello')
      .post('/echo', (event) => event.req.text())
      .get('/cookies', (event) => {
        event.res.headers.append('set-cookie', 'a=1');
        event.res.headers.append('set-cookie', 'b=2');
        return '';
      })
      .get('/fail', (event) => {
        event.res.status = 503;
        return 'ouch';
      });
  },
  Koa: async () => {
    const { default: Koa } = await load('koa');
    const app = new Koa();
    app.use(async (context) => {
      const { path, req, cookies } = context;
      if (path === '/echo') context.body = await textOf(req);
      else if (path === '/fail') context.status = 503;
      else context.body = 'hello';
      if (path === '/cookies') cookies.set('a', '1').set('b', '2');
    });
    return app;
  },
  'app.callback() of Koa': async () => (await ROWS.Koa()).callback(),
  Connect: async () => {
    const { default: connect } = await load('connect');
    return connect()
      .use('/echo', async (request, response) => response.end(await textOf(request)))
      .use('/', (request, response) => plain(request, response));
  },
  Polka: async () => {
    const { default: polka } = await load('polka');
    return polka()
      .post('/echo', async (request, response) => response.end(await textOf(request)))
      .get('*', plain);
  },
  Hapi: async () => {
    const { default: hapi } = await load('@hapi/hapi');
    const server = hapi.server();
    server.route([
      { method: 'GET', path: '/', handler: () => 'hello' },
      { method: 'POST', path: '/echo', handler: ({ payload }) => payload },
      { method: 'GET', path: '/cookies', handler: (_, h) => h.response('').state('a', '1').state('b', '2') },
      { method: 'GET', path: '/fail', handler: (_, h) => h.response('ouch').code(503) },
    ]);
    return server;
  },
  'a function': async () => async (request, response) =>
    request.url === '/echo' ? response.end(await textOf(request)) : plain(request, response),
};

const OPTIONS = { limit: 3, iterations: 9 };
/** a function in a flow keeps the load in this thread, text lets it move to another one */
const FLOW = [
  { get: '/', expect: { body: 'hello' } },
  {
    post: '/echo',
    body: 'x'.repeat(10_000),
    headers: { 'content-type': 'text/plain' },
    expect: { body: 'x'.repeat(10_000) },
  },
  {
    get: '/cookies',
    afterHooks: [
      ({ response }) => {
        const names = response.headers['set-cookie'].map((cookie) => cookie.split('=')[0]);
        if (names.join() !== 'a,b') throw new Error(`cookies ${names}`);
      },
    ],
  },
];

describe('a target of a framework', () => {
  before(() => {
    if (!existsSync(join(PEERS, 'node_modules/hono')))
      throw new Error('these tests need the frameworks: npm install --prefix bench --ignore-scripts');
  });

  for (const [name, create] of Object.entries(ROWS)) {
    it(`C40 ${name} answers, twice, and is closed after the run`, async () => {
      // h3 1 is looked for where the program runs
      const folder = process.cwd();
      process.chdir(PEERS);
      try {
        const target = await create();
        for (let round = 0; round < 2; round++) {
          const { stats } = await benchrest(FLOW, { ...OPTIONS, target });
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.iterations.completed).to.equal(9);
          await none();
        }
        const { stats } = await benchrest('/fail', { ...OPTIONS, target });
        expect(stats.errors.details.map(({ message, count }) => [message, count])).to.deep.equal([
          ['error statusCode: 503', 9],
        ]);
        await none();
        // the run rejects before its first request
        const error = await benchrest('/#{NOTHING}', { ...OPTIONS, target }).catch((thrown) => thrown);
        expect(error.code).to.equal('E_FLOW');
        await none();
      } finally {
        process.chdir(folder);
      }
    });
  }

  it('C40 an application of Fastify that listens keeps listening', async () => {
    const app = await ROWS['Fastify 5']();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { stats } = await benchrest('/', { ...OPTIONS, target: app });
    expect([stats.errors.count, app.server.listening]).to.deep.equal([0, true]);
    await app.close();
  });

  it('C40 a server around an application of Express that listens keeps listening', async () => {
    const server = http.createServer(await ROWS['Express 5']());
    await listen(server);
    const { stats } = await benchrest('/', { ...OPTIONS, target: server });
    expect([stats.errors.count, server.listening]).to.deep.equal([0, true]);
    await shut(server);
  });
});

async function textOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function plain({ url }, response) {
  if (url === '/cookies') response.setHeader('set-cookie', ['a=1', 'b=2']);
  response.statusCode = url === '/fail' ? 503 : 200;
  response.end(url === '/' ? 'hello' : '');
}

/** No server of this process listens. */
async function none() {
  await until(() => !process.getActiveResourcesInfo().includes('TCPServerWrap'));
}
