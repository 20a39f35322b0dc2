import { join } from 'node:path';

import { expect } from 'chai';

import { startGrpcTarget } from '../../../lib/addons/serve/grpc.js';
import { freePort } from '../../../lib/addons/server/run-with-server.js';
import { ROOT, spawned } from '../../support/command.js';
import { inFolder } from '../../support/in-folder.js';
import { describeSlow } from '../../support/slow.js';

/** Runs a story with the address of a server that has reflection. */
async function serving(story) {
  const server = await startGrpcTarget({ port: 0 });
  try {
    return await story(server.url.replace('grpc://', ''));
  } finally {
    await server.close();
  }
}

describeSlow('bench-rest --grpc', () => {
  it('calls a method of a server, with a message, metadata and types of its own', () =>
    serving(async (server) => {
      const proto = join(ROOT, 'test/support/grpc/orders.proto');
      for (const args of [
        [server],
        [`http://${server}/`],
        [`grpc://${server}`, '--proto', proto],
        [server, '-n', '1', '--debug'],
      ]) {
        const { code, stderr } = await spawned([
          ...['-n', '2', '--grpc', 'shop.Orders/Create', '-b', '{"user":"#{INDEX}"}', '-H', 'x-a: b'],
          ...args,
        ]);
        expect(code, stderr).to.equal(0);
        expect(stderr).not.to.include('without a Content-Type');
      }
    }));

  it('an unknown service, and a method, are suggested by what the server has', () =>
    serving(async (server) => {
      for (const [method, refusal] of [
        ['shop.Order/Create', '.grpc: there is no service shop.Order, did you mean shop.Orders?'],
        ['Orders/Create', '.grpc: there is no service Orders: use shop.Orders'],
        ['shop.Orders/Creat', '.grpc: shop.Orders has no method Creat, did you mean Create?'],
      ])
        expect((await spawned(['-n', '1', '--grpc', method, server])).stderr).to.include(refusal);
    }));

  it('a server is not called a URL without a scheme, beside another mistake', async () => {
    for (const args of [
      ['--grpc', 'Create'],
      ['--grpc', 'a.B/C', '--timeout', '500'],
    ])
      expect((await spawned(['-n', '1', ...args, 'localhost:50051'])).stderr)
        .to.include('is invalid')
        .and.not.include('did you mean http');
  });

  for (const [args, refusal] of [
    [['--grpc', 'Create', 'localhost:1'], /Expected a method such\s+as shop.Orders\/Create/],
    [['--grpc', 'a.B/C'], /--grpc <method> is for a server: write bench-rest -n 1000 --grpc/],
    [['--grpc', 'a.B/C', '-e', '{}'], /--grpc <method> is for a server/],
    [['--grpc', 'a.B/C', 'flow.yaml'], /flow.yaml is not a server: beside --grpc write its host and port/],
    [['--grpc', 'a.B/C', 'localhost:1/path'], /localhost:1\/path is not a server/],
    [['--grpc', 'a.B/C', '--proto', 'none.proto', 'localhost:1'], /none.proto does not exist; check the path/],
  ])
    it(`${args.join(' ')} is refused`, async () => {
      const { code, stderr } = await spawned(['-n', '1', ...args]);
      expect(stderr.replace(/\s+/g, ' ')).to.match(new RegExp(refusal.source.replaceAll('\\s+', ' ')));
      expect(code).to.equal(2);
    });

  it('a server that the run starts is asked for its types when it is ready', () =>
    inFolder(
      async (cwd) => {
        const port = await freePort();
        const start = `node late.mjs ${port}`;
        const flags = ['-n', '2', '--start', start, '--start-ready', `grpc://localhost:${port}`, `localhost:${port}`];
        const { code, stderr } = await spawned([...flags, '--grpc', 'shop.Orders/Create'], { cwd });
        expect(code, stderr).to.equal(0);
        const wrong = await spawned([...flags, '--grpc', 'shop.Orders/Creat'], { cwd });
        expect(wrong.stderr).to.include('shop.Orders has no method Creat, did you mean Create?');
      },
      {
        'late.mjs': `import { startGrpcTarget } from ${JSON.stringify(join(ROOT, 'lib/addons/serve/grpc.js'))};
          setTimeout(() => startGrpcTarget({ port: Number(process.argv[2]) }), 500);`,
      },
    ));
});
