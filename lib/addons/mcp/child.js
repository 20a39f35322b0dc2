import { createWriteStream } from 'node:fs';

import { Shutdown, exitProcess } from '../../core/cli/exit-process.js';
import { main } from '../../core/cli/main.js';

/** The descriptor of the client: the parent, runBehindStdout() in server.js, keeps descriptor 1 for code of flows. */
const CLIENT = 3;
const stdout = createWriteStream('', { fd: CLIENT });
const { stdin, stderr, env } = process;
const [cwd, on, off] = [process.cwd, process.on.bind(process), process.off.bind(process)];
/** @type {any} */
const io = { stdin, stdout, stderr, env, cwd, on, off };
const shutdown = new Shutdown();
await exitProcess(await main(process.argv, io, shutdown, { ownsProcess: true }), shutdown);
