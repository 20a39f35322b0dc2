'use strict';

// What an observed thread and the recording agree on.

/** The variable of the environment with the folder of the files. */
exports.FOLDER = 'BENCH_REST_RECORDING';
/** The channel on which the module of Hono, with a line of ours, publishes its class. */
exports.HONO = 'bench-rest:hono';
/** Bytes of a body that is kept. */
exports.MOST_BODY = 4 * 1024 * 1024;
