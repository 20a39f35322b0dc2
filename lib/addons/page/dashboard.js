import http from 'node:http';

import { distributionsOf } from '../../core/cli/result/describe-run.js';
import { makeError } from '../../core/ground/errors.js';
import { openServer } from '../own-server/open.js';
import { dataOf, pageOf } from './index.js';
import { followConnections } from '../../core/run/closing.js';

/** @import { LiveState } from './model.js' */
/** @import { CompanionModule } from '../../core/cli/types.js' */
/** @import { DistributionOf, Result } from '../../core/report/types.js' */

/** The reasons why it cannot listen, and what to do. @type {Record<string, string>} */
const REASONS = {
  EADDRINUSE: 'another program listens on this port; --dashboard alone takes any free port',
  EACCES: 'no permission to listen on this port; --dashboard alone takes any free port',
};

/** Serves the report of a run. @type {CompanionModule['open']} */
export async function open(port, { shutdown }) {
  const { url, update, close } = await startDashboard(port);
  shutdown.add(close);
  return {
    notice: `dashboard: ${url}`,
    onState: (result, share) => update(result, () => [], { isRunning: true, share }),
    onResult: (result, files) => update(result, distributionsOf(result), { isRunning: false, files }),
  };
}

/**
 * Serves the HTML report on 127.0.0.1 (port 0: any) during the run, updated by server-sent events.
 * @throws {Error} E_USAGE the port is in use
 * @type {(port: number) => Promise<{ url: string, update: (result: Result, distributionOf: DistributionOf, live:
 *   LiveState) => void, close: () => Promise<void> }>}
 */
export async function startDashboard(port) {
  /** @type {Set<http.ServerResponse>} */
  const watchers = new Set();
  let data = '';
  const server = http.createServer((request, response) => {
    if (request.url === '/') {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      return response.end(pageOf(data, { isLive: true }));
    }
    if (request.url !== '/events') return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(eventOf(data));
    watchers.add(response);
    return response.on('close', () => watchers.delete(response));
  });
  const own = await openServer(server, { port, methods: ['GET'] }).catch((cause) => {
    const reason = REASONS[cause.code ?? ''] ?? cause.message;
    throw makeError('E_USAGE', { problem: `--dashboard ${port}: ${reason}` }, { cause });
  });
  const close = followConnections(server);
  return {
    url: `http://127.0.0.1:${own.port}/`,
    update(result, distributionOf, live) {
      data = dataOf(result, distributionOf, live);
      // A page that stopped reading gets the newest result later, instead of a queue of old ones.
      for (const watcher of watchers) if (!live.isRunning || !watcher.writableNeedDrain) watcher.write(eventOf(data));
    },
    async close() {
      for (const watcher of watchers) watcher.end();
      await close();
    },
  };
}

/** @type {(data: string) => string} */
function eventOf(data) {
  return data === '' ? '' : `event: result\ndata: ${data}\n\n`;
}
