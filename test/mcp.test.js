import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';

import { PROGRAM, commandHere } from './support/command.js';
import { inFolder } from './support/in-folder.js';
import { holding } from './support/serve.js';
import { describeSlow } from './support/slow.js';

const message = (id, method, params = {}) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const INITIALIZE = message(0, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '0' },
});
const HELLO = `${INITIALIZE}${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;

describeSlow('bench-rest mcp on standard input and output', () => {
  it('serves a client, and ends its run when the client disappears', () =>
    holding('/slow', ({ url, arrived, deserted }) =>
      inFolder(
        async (folder) => {
          const transport = new StdioClientTransport({
            command: process.execPath,
            args: [PROGRAM, 'mcp', '--allow-code'],
            cwd: folder,
            stderr: 'pipe',
          });
          const client = new Client({ name: 'test', version: '0' });
          const faults = [];
          client.onerror = (error) => faults.push(error);
          await client.connect(transport);
          const said = text(transport.stderr);
          const run = client.callTool({ name: 'run', arguments: { path: 'flow.mjs' } }).catch((error) => error);
          await arrived;
          await client.close();
          await run;
          await deserted();
          expect(await said)
            .to.include('of a hook')
            .and.include('waits for a client');
          expect(faults).to.deep.equal([]);
        },
        {
          'flow.mjs': `export default { runOptions: { duration: '20s' }, main: [{ get: '${url}/slow', beforeHooks: [(all) => {
            console.log('of a hook');
            return all;
          }] }] };`,
        },
      ),
    ));

  it('no message ends it: not one that is malformed, nested or too long', async () => {
    const input = [
      HELLO,
      'hello\n',
      '{"jsonrpc":"2.0"}\n[]\nnull\n\u0000\n',
      `${'['.repeat(100_000)}\n`,
      message(1, 'tools/call', { name: 'run', arguments: { flow: 'x'.repeat(5_000_000) } }),
      message(2, 'tools/call', {
        name: 'explain_error',
        arguments: JSON.parse(`{"error":${'['.repeat(3000)}${']'.repeat(3000)}}`),
      }),
      message(3, 'none'),
      message(4, 'tools/call', { name: 'explain_error', arguments: { error: 'E_HOOK' } }),
    ].join('');
    const { stdout, code } = await commandHere(['mcp'], { input });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).to.equal(0);
    const byId = (wanted) => answers.find(({ id }) => id === wanted);
    expect(byId(1).error.message).to.include('more than 4 MiB');
    expect(byId(2).result.isError).to.equal(true);
    expect(byId(3).error).to.be.an('object');
    expect(byId(4).result.content[0].text).to.include('E_HOOK');
  });

  it('writes nothing but the protocol to standard output', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const stdout = text(child.stdout);
    child.stdin.end(`${HELLO}${message(1, 'tools/list')}`);
    const [code] = await once(child, 'close');
    expect(code).to.equal(0);
    for (const line of (await stdout).trim().split('\n')) expect(JSON.parse(line).jsonrpc).to.equal('2.0');
  });
});
