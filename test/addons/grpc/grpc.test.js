import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http2';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import benchrest from '../../../index.js';
import { selfSigned } from '../../support/certificate.js';
import { command } from '../../support/command.js';
import { PROTO, servingGrpc } from '../../support/grpc/server.js';
import { inFolder } from '../../support/in-folder.js';
import { proxying } from '../../support/proxy.js';
import { itSlow } from '../../support/slow.js';

const SERVE = fileURLToPath(new URL('../../support/grpc/serve.js', import.meta.url));

const call = { grpc: 'shop.Orders/Create', proto: PROTO };
const run = async (main, options = {}) =>
  (await benchrest({ main: [main].flat() }, { iterations: 2, limit: 1, ...options })).stats;
const errorsOf = ({ errors }) => errors.details.map(({ code, message }) => `${code} ${message}`);

/** Serves in a process of its own, as a thread that asks for types waits for their server. */
async function reflecting(act, options = {}) {
  const child = spawn(process.execPath, [SERVE, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  try {
    return await act(String(line).trim());
  } finally {
    child.stdin.end();
    await once(child, 'close');
  }
}

describe('gRPC', () => {
  it('a call sends message, metadata and deadline, and its response is checked and captured as JSON', () =>
    servingGrpc(async (target, seen) => {
      const main = [
        {
          ...call,
          target,
          message: { user: 'u#{INDEX}', items: [{ sku: 'A1', count: 2 }], raw: Buffer.from('hi') },
          metadata: { authorization: 'Bearer #{INDEX}', 'x-bin': Buffer.from([1, 2]) },
          timeout: 5000,
          expect: { status: 'OK', json: { '$.id': /^o-/, '$.request.items[0].count': 2 } },
          capture: { id: '$.id' },
        },
        { ...call, target, message: { user: '#{id}' } },
      ];
      const stats = await run(main);
      expect(errorsOf(stats)).to.deep.equal([]);
      expect(stats.operations.map(({ name }) => name)).to.deep.equal(Array(2).fill('grpc shop.Orders/Create'));
      expect(seen.map(({ messages: [{ user }] }) => user)).to.deep.equal(['u0', 'o-1', 'u1', 'o-3']);
      expect(seen[0].messages[0]).to.deep.include({ raw: Buffer.from('hi') });
      expect(seen[2].metadata).to.deep.include({ authorization: 'Bearer 1', 'x-bin': Buffer.from([1, 2]) });
      expect(seen[0].deadline - Date.now()).to.be.within(-60_000, 5000);
    }));

  it('hooks get and change the message', () =>
    servingGrpc(async (target, seen) => {
      const bodies = [];
      await run({
        ...call,
        target,
        message: { user: 'a' },
        beforeHooks: [(all) => ((all.requestOptions.json.user = `h${all.env.index}`), all)],
        afterHooks: [(all) => (bodies.push(all.body.request.user), all)],
      });
      expect(seen.map(({ messages: [{ user }] }) => user)).to.deep.equal(['h0', 'h1']);
      expect(bodies).to.deep.equal(['h0', 'h1']);
    }));

  it('a status is an error by its name, unless it is expected', () =>
    servingGrpc(async (target) => {
      const main = { ...call, target, message: { user: 'nobody' } };
      const stats = await run(main);
      expect(errorsOf(stats)).to.deep.equal([
        "E_GRPC_NOT_FOUND status NOT_FOUND: no such user: nobody; if that is right, write expect: { status: 'NOT_FOUND' }",
      ]);
      expect(stats.requests).to.deep.include({ sent: 2, answered: 2 });
      expect(errorsOf(await run({ ...main, expect: { status: 'NOT_FOUND' } }))).to.deep.equal([]);
      expect(errorsOf(await run({ ...main, expect: { status: ['OK', 'ABORTED'] } }))[0]).to.match(
        /^E_EXPECT .*status OK, ABORTED.*NOT_FOUND/,
      );
    }));

  it('a method that answers with a stream is measured as one', () =>
    servingGrpc(async (target) => {
      const watch = { ...call, grpc: 'shop.Orders/Watch', target, message: { items: [{ sku: 'a' }, { sku: 'b' }] } };
      const stats = await run({ ...watch, expect: { events: 2 }, capture: { last: { event: true, json: '$.id' } } });
      expect(errorsOf(stats)).to.deep.equal([]);
      const { count, events, bytes } = stats.operations[0].stream;
      expect({ count, events }).to.deep.equal({ count: 2, events: 4 });
      const uncaptured = await run(watch);
      expect(uncaptured.operations[0].stream, 'of the messages, not of what stands for them').to.include({ bytes });
      expect(bytes).to.be.above(8);
      expect((await run({ ...watch, stream: { events: 1 } })).operations[0].stream.events).to.equal(2);
      const failing = { ...watch, message: { user: 'nobody', items: [{ sku: 'a' }] } };
      expect(errorsOf(await run(failing))[0]).to.match(/^E_GRPC_NOT_FOUND status NOT_FOUND: gone/);
    }));

  it('a method that reads a stream gets a list of messages', () =>
    servingGrpc(async (target, seen) => {
      const message = [{ user: 'a' }, { user: 'b' }];
      const upload = { ...call, grpc: 'shop.Orders/Upload', target, message, expect: { json: { '$.id': '2' } } };
      expect(errorsOf(await run(upload))).to.deep.equal([]);
      const talk = await run({ ...call, grpc: 'shop.Orders/Talk', target, message });
      expect(talk.operations[0].stream.events).to.equal(4);
      expect(seen[3].messages).to.have.lengthOf(2);
    }));

  it('messages are compressed and decompressed', () =>
    servingGrpc(async (target, seen) => {
      const main = { ...call, target, message: { user: 'a'.repeat(500) }, compression: 'gzip' };
      expect(errorsOf(await run({ ...main, expect: { json: { '$.request.user': /^a+$/ } } }))).to.deep.equal([]);
      expect(seen[0].messages[0].user).to.have.lengthOf(500);
    }));

  itSlow('workers and rates make calls', () =>
    servingGrpc(async (target) => {
      const stats = await run({ ...call, target, message: { user: 'a' } }, { iterations: 20, limit: 4, workers: 2 });
      expect([stats.iterations.completed, stats.errors.count]).to.deep.equal([20, 0]);
    }),
  );

  itSlow('types come from the server by reflection', () =>
    reflecting(async (target) => {
      const create = {
        grpc: 'shop.Orders/Create',
        message: { user: 'a', cash_box: 'k' },
        expect: { json: { '$.request.cashBox': 'k', '$.createdAt': null } },
        capture: { box: '$.request.cashBox' },
      };
      const flow = { baseUrl: `grpc://${target}`, main: [create, { ...create, message: { cashBox: '#{box}' } }] };
      const { stats } = await benchrest(flow, { iterations: 2, limit: 1 });
      expect([stats.iterations.completed, errorsOf(stats)]).to.deep.equal([2, []]);
      const { code, stdout } = await command(['-n', '2', `grpc://${target}/shop.Orders/Create`, '-b', '{"user":"a"}']);
      expect(code, stdout).to.equal(0);
      expect(stdout).to.match(/2 iterations/);
    }),
  );

  itSlow('bench-rest list prints the methods of a server, and a call with all fields of its message', () =>
    reflecting(async (target) => {
      const url = `grpc://${target}`;
      const { stdout } = await command(['list', url]);
      expect(stdout.split('\n').slice(0, 4)).to.deep.equal([
        'shop.Orders/Create  unary          shop.CreateRequest -> shop.Order',
        'shop.Orders/Watch   server stream  shop.CreateRequest -> shop.Order',
        'shop.Orders/Upload  client stream  shop.CreateRequest -> shop.Order',
        'shop.Orders/Talk    both streams   shop.CreateRequest -> shop.Order',
      ]);
      const method = await command(['list', `${url}/shop.Orders/Create`]);
      const call = JSON.parse(method.stdout);
      expect(call.grpc).to.equal(`${url}/shop.Orders/Create`);
      expect(call.message).to.deep.include({
        items: [{ sku: '', count: 0, kind: 'NONE' }],
        tags: { key: 0 },
        at: '2026-01-31T12:00:00Z',
        note: '',
        card: '',
      });
      expect(errorsOf(await run(call))).to.deep.equal([]);
      for (const [path, reason] of [
        ['/shop.Orders/Creat', /no method Creat, did you mean Create\?/],
        ['', /has not described its types by reflection: /],
      ]) {
        const { code, stderr } = await command(['list', path === '' ? 'grpc://127.0.0.1:1' : url + path]);
        expect(code).to.equal(2);
        expect(stderr.replace(/\s+/g, ' ')).to.match(reason);
      }
    }),
  );

  itSlow('bench-rest list reaches a server by TLS and with metadata', () =>
    reflecting(
      (target) =>
        inFolder(async (folder) => {
          const url = `grpcs://localhost:${target.split(':')[1]}`;
          const ca = join(folder, 'ca.pem');
          writeFileSync(ca, selfSigned().cert);
          const token = ['-H', 'Authorization: abc'];
          for (const trust of [['--insecure'], ['--ca', ca]]) {
            const { code, stdout, stderr } = await command(['list', url, ...trust, ...token]);
            expect(code, stderr).to.equal(0);
            expect(stdout).to.match(/^shop\.Orders\/Create /);
          }
          for (const [args, reason] of [
            [[url, ...token], /certificate/],
            [[url, '--insecure'], /UNAUTHENTICATED: no token/],
            [[url, '--insecure', '-H', 'authorization: #{env.TOKEN}'], /-H has a token/],
            [[url, '--ca', join(folder, 'none.pem')], /--ca: .*none\.pem/],
            [['hooks', '--insecure'], /the flags of list are for the URL of a server/],
          ]) {
            const { code, stderr } = await command(['list', ...args]);
            expect(code).to.equal(2);
            expect(stderr.replace(/\s+/g, ' ')).to.match(reason);
          }
        }),
      { isSecure: true, token: 'abc' },
    ),
  );

  describe('reflection reaches the server as the calls do', () => {
    const create = { grpc: 'shop.Orders/Create', message: { user: 'a' } };
    const ran = async (operation, options = {}) => {
      const { stats } = await benchrest(
        { main: [{ ...create, ...operation }] },
        { iterations: 1, limit: 1, ...options },
      );
      expect(errorsOf(stats)).to.deep.equal([]);
    };
    const portOf = (target) => Number(target.split(':')[1]);

    itSlow('by TLS', () =>
      reflecting(
        async (target) => {
          const secure = `grpcs://localhost:${portOf(target)}`;
          await ran({ target: secure, ca: selfSigned().cert });
          await ran({ target: secure }, { insecure: true });
          let error;
          await ran({ target: secure }).catch((thrown) => (error = thrown));
          expect(error.message).to.match(/main\[0\]\.proto: https:.* has not described its types .*certificate/);
        },
        { isSecure: true },
      ),
    );

    itSlow('by connectTo, and with metadata and fields of the run', () =>
      reflecting(
        async (target) => {
          const connectTo = { 'shop.test:50051': { host: '127.0.0.1', port: portOf(target) } };
          const shop = { target: 'shop.test:50051' };
          await ran({ ...shop, metadata: { authorization: 'abc' } }, { connectTo });
          await ran({ ...shop, metadata: { authorization: 'abc', n: '#{INDEX}' } }, { connectTo });
          await ran(shop, { connectTo, headers: { authorization: '#{args.token}' }, args: { token: 'abc' } });
          let error;
          await ran(shop, { connectTo }).catch((thrown) => (error = thrown));
          expect(error.message).to.match(/status UNAUTHENTICATED: no token/);
        },
        { token: 'abc' },
      ),
    );

    itSlow('by a unix socket', () =>
      inFolder((folder) => {
        const socketPath = join(folder, 'a.sock');
        return reflecting(() => ran({ target: 'shop.test:1', socketPath }), { address: `unix:${socketPath}` });
      }),
    );

    itSlow('by a proxy', () =>
      reflecting((target) =>
        proxying(async (proxy, seen) => {
          const url = `grpc://${target}/shop.Orders/Create`;
          const { code, stderr } = await command(['-n', '1', '--proxy', proxy, url], { engine: 'thread' });
          expect(code, stderr).to.equal(0);
          expect(seen.map(({ line }) => line)).to.deep.equal(Array(2).fill(`CONNECT ${target}`));
        }),
      ),
    );

    it('unless the server is known only during the run', async () => {
      let error;
      await ran({ target: 'shop#{INDEX}.test:1' }).catch((thrown) => (error = thrown));
      expect(error.message).to.match(/proto: is missing, and the server that could be asked is known only during/);
    });
  });

  itSlow('the message of a URL may be a file', () =>
    servingGrpc((target) =>
      inFolder(async (folder) => {
        const url = `grpc://${target}/shop.Orders/Create`;
        for (const [flags, reason] of [
          [['-b', '@no.json'], /-b: no\.json does not exist/],
          [['-T', 'json'], /-T has no meaning for a gRPC call/],
          [['-F', 'a=b'], /-F has no meaning for a gRPC call/],
          [['-m', 'PUT', '-b', '{}'], /-m has no meaning for a gRPC call/],
          [['-b', 'x'], /-b x is not the JSON of a message/],
        ]) {
          const { code, stderr } = await command(['-n', '1', ...flags, url], { engine: 'thread' });
          expect([code, reason.test(stderr)], stderr).to.deep.equal([2, true]);
        }
        writeFileSync(join(folder, 'm.json'), '{"user":1}');
        const { stderr } = await command(['-n', '1', '-b', `@${join(folder, 'm.json')}`, url], { engine: 'thread' });
        expect(stderr).to.match(/it has no reflection/);
      }),
    ),
  );

  itSlow('a server that the run may not send to is not asked', () =>
    servingGrpc(async (target) => {
      const url = `grpc://${target}/shop.Orders/Create`;
      const { code, stderr } = await command(['-n', '1', '--allow-target', 'shop.test:443', url], { engine: 'thread' });
      expect(code).to.equal(2);
      expect(stderr).to.match(/main\[0\]\.grpc: 127\.0\.0\.1:\d+ is not among the targets/);
    }),
  );

  itSlow('F210 a server without reflection is named, with the cure', () =>
    servingGrpc(async (target) => {
      const { code, stderr } = await command(['-n', '1', `grpc://${target}/shop.Orders/Create`], { engine: 'thread' });
      expect(code).to.equal(2);
      expect(stderr).to.match(/has not described its types by reflection: it has no reflection; write proto/);
    }),
  );

  it('a message that cannot be encoded is an error of its operation, and the run goes on', () =>
    servingGrpc(async (target) => {
      const user = (scope) => (scope.index === 0 ? { usr: 1 } : { user: 'a' });
      const stats = await run({ ...call, target, message: user });
      expect(errorsOf(stats).join()).to.match(/^E_GRPC_MESSAGE the message cannot be encoded .*usr: .* no such field/);
      expect(stats.iterations.completed).to.equal(1);
    }));

  for (const [what, operation, reason] of [
    ['metadata that is a function', { metadata: { a: () => 'x' } }, /metadata: expected an object of texts/],
    ['an unknown token', { message: { user: '#{nope}' } }, /message(?:\.user)?: .*#\{nope\}/],
    ['an unknown method', { grpc: 'shop.Orders/Get' }, /grpc: shop\.Orders has no method Get/],
    [
      'a wrong field',
      { message: { usr: 1 } },
      /message\.usr: shop\.CreateRequest has no such field, did you mean user\?/,
    ],
    ['a list for one message', { message: [{}] }, /message: is a list, and shop\.Orders\/Create reads one message/],
    ['a proto that is missing', { proto: 'no.proto' }, /proto: .*no\.proto/],
    [
      'a target with a path',
      { target: 'localhost:1/api' },
      /target: "\/api" after the server has no meaning .* host and/,
    ],
    ['a target with a query', { target: 'grpc://localhost:1?a=b' }, /target: "\?a=b" after the server has no meaning/],
    [
      'a query of a URL',
      { target: undefined, grpc: 'grpc://localhost:1/shop.Orders/Create?a=b' },
      /no method Create\?a=b/,
    ],
    [
      'metadata that is one function',
      { metadata: () => ({}) },
      /metadata: expected an object of texts, which may have/,
    ],
    ['a call without a server', { target: undefined }, /grpc: has no server: write target, or baseUrl/],
    ['a body of HTTP', { json: {} }, /json: has no meaning for a gRPC call: use message/],
    [
      'the check of a call in an operation of HTTP',
      {
        grpc: undefined,
        proto: undefined,
        target: undefined,
        get: 'http://localhost:1/',
        expect: { grpcStatus: 'OK' },
      },
      /expect\.grpcStatus: is for calls of gRPC: write grpc, or status for that of HTTP/,
    ],
    [
      'an unknown status',
      { expect: { status: 'NOTFOUND' } },
      /NOTFOUND is no status of gRPC, did you mean NOT_FOUND\?/,
    ],
  ])
    it(`${what} is refused before the first request`, async () => {
      let error;
      await run({ ...call, target: 'localhost:1', ...operation }).catch((thrown) => (error = thrown));
      expect(error?.message).to.match(reason);
    });
});

/** What a server sends as the response to a call: head, body, trailers. */
const answering = async (respond, act) => {
  const server = createServer().on('stream', (stream) => {
    stream.resume();
    respond(stream);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await act(`127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
  }
};
const HEAD = { ':status': 200, 'content-type': 'application/grpc' };
const MESSAGE = Buffer.from([0, 0, 0, 0, 3, 10, 1, 97]);
const ending =
  (bytes, trailers, head = HEAD) =>
  (stream) => {
    stream.on('error', () => {});
    stream.respond(head, { waitForTrailers: trailers !== null });
    if (trailers !== null) stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.end(bytes);
  };

describe('gRPC: a server that breaks the protocol', () => {
  for (const [what, respond, reason] of [
    ['no status', ending(MESSAGE, null), /without grpc-status/],
    ['trailers without status', ending(MESSAGE, { a: 'b' }), /without grpc-status/],
    ['a status that is no number', ending(MESSAGE, { 'grpc-status': 'x' }), /without grpc-status/],
    ['OK without a message', ending(Buffer.alloc(0), { 'grpc-status': '0' }), /0 messages in place of one/],
    [
      'two messages',
      ending(Buffer.concat([MESSAGE, MESSAGE]), { 'grpc-status': '0' }),
      /several messages in place of one/,
    ],
    ['half a message', ending(MESSAGE.subarray(0, 6), { 'grpc-status': '0' }), /ended within a message/],
    ['another content type', ending(MESSAGE, null, { ':status': 200, 'content-type': 'text/html' }), /type text\/html/],
    ['a gateway', ending(Buffer.from('bad'), null, { ':status': 502 }), /statusCode: 502/],
    [
      'a status in the head',
      ending('', null, { ...HEAD, 'grpc-status': '14', 'grpc-message': 'a%20b' }),
      /UNAVAILABLE: a b/,
    ],
    ['a redirect', ending('', null, { ':status': 302, location: '/' }), /the status 302 of HTTP/],
    ['an empty status', ending(MESSAGE, { 'grpc-status': '' }), /without grpc-status/],
    [
      'a text that moves the cursor',
      ending('', null, { ...HEAD, 'grpc-status': '14', 'grpc-message': 'a%1b[2J%0ab' }),
      /: a \[2J b/,
    ],
    ['a reset', (stream) => stream.on('error', () => {}).close(2), /reset/],
    ['a message of another type', ending(Buffer.from([0, 0, 0, 0, 1, 255]), { 'grpc-status': '0' }), /no shop\.Order/],
  ])
    it(`${what} is an error of its call`, () =>
      answering(respond, async (target) => {
        const stats = await run({ ...call, target, capture: { id: '$.id' } }, { iterations: 1 });
        expect(errorsOf(stats).join()).to.match(reason);
        expect(stats.iterations.started).to.equal(1);
      }));
});
