#!/usr/bin/env node
import { openFilesError } from '../lib/open-files-error.js';

// not static imports: these can fail if the limit of open files is very low
Promise.all([import('../lib/cli/main.js'), import('../lib/cli/exit-process.js')])
  .catch((error) => {
    process.stderr.write(`bench-rest: ${openFilesError(error)?.message ?? error.stack}\n`);
    process.exit(70);
  })
  .then(async ([{ main }, { Shutdown, exitProcess }]) => {
    const shutdown = new Shutdown();
    exitProcess(await main(process.argv, process, shutdown, { startsEarly: true }), shutdown);
  });
