import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { pathInBench } from './peers/installed.js';
import { end, start } from './processes.js';

/**
 * Starts the service that knows its own times (clients/verdict.js).
 *
 * @param {string} folder for its certificate
 * @param {number} [cpu] that it is pinned to
 */
export async function startService(folder, cpu) {
  const certificates = join(folder, 'certificate.json');
  const { CERTIFICATES } = await import('../test/support/certificate.js');
  writeFileSync(certificates, JSON.stringify(CERTIFICATES.here));
  const server = start([process.execPath, pathInBench('clients/verdict.js'), certificates], {
    cpu,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port, tlsPort }] = await once(server, 'message');
  return {
    ...{ server, port, tlsPort },
    /** Its own times since an instant, ms since 1970; it begins anew. */
    async timesSince(since) {
      server.send({ since });
      return (await once(server, 'message'))[0];
    },
    close: () => end(server),
  };
}

/** A table in Markdown. @type {(heads: string[], rows: (string | number)[][]) => string} */
export function tableOf(heads, rows) {
  const table = [heads, ...rows].map((row) => row.map(String));
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [line(table[0]), line(widths.map((width) => '-'.repeat(width))), ...table.slice(1).map(line)].join('\n');
}
