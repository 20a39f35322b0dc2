/** A run as a promise of what programs read at its end. */
export const ended = (run) => new Promise((done) => run.on('end', (stats, errorCount) => done({ stats, errorCount })));
