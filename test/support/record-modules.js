import { appendFileSync } from 'node:fs';
import { Session } from 'node:inspector';

/**
 * For `node --import`: appends the URL of every script that a thread loads to the file RECORD_MODULES. A hook of Node's
 * module loader would need a thread of its own.
 */
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params }) => appendFileSync(process.env.RECORD_MODULES, `${params.url}\n`));
session.post('Debugger.enable');
