import { readFileSync } from 'node:fs';

import { DOOR } from '../../core/ground/join-addon.js';

const SERVER = `import { createServer } from 'node:net';

createServer((socket) => {
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (text) => socket.write(text.startsWith('ping') ? 'pong\\n' : 'ERR unknown\\n'));
}).listen(Number(process.argv[2] ?? 7000));
`;

const FLOW = `main:
  - { line: 'line://localhost:7000', say: 'ping #{INDEX}', expect: { reply: pong } }
`;

/** The files of a new add-on by name: that of the examples, and what it needs to run, in a package of any `type`. */
export function addonFiles(/** @type {string} */ version) {
  const manifest = {
    name: 'bench-rest-line',
    version: '0.1.0',
    exports: './addon.mjs',
    keywords: ['bench-rest', `bench-rest-door-${DOOR}`],
    peerDependencies: { 'bench-rest': `^${version}` },
  };
  return {
    'addon.mjs': readFileSync(new URL('../../../examples/addon.js', import.meta.url), 'utf8'),
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'flow.yaml': FLOW,
    'server.mjs': SERVER,
  };
}
