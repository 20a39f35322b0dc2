import { appendFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

/**
 * For `node --import`: appends the URL of every script that a thread loads to the file RECORD_MODULES, after the kind of
 * thread. A hook of Node's module loader would need a thread of its own.
 */
const kind = isMainThread ? 'main' : 'thread';
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params }) =>
  appendFileSync(process.env.RECORD_MODULES, `${kind} ${params.url}\n`),
);
session.post('Debugger.enable');
