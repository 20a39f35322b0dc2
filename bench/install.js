import { fileURLToPath } from 'node:url';
import { endOf, start } from './processes.js';
import { errorLine } from './error-line.js';

/** Installs the peers that come from npm into bench/node_modules. */
export async function install() {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  process.stderr.write('bench: installing the peers into bench/node_modules\n');
  const argv = ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  const { code, stderr } = await endOf(start(argv));
  if (code !== 0) throw new Error(`npm install failed (${code}); ${errorLine(stderr)}`);
}
