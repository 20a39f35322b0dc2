'use strict';

// The names that a preloaded thread and the load generator agree on.

/** The variable of the environment with the path of the socket, which is in a folder of the load generator. */
exports.CHANNEL = 'BENCH_REST_CHANNEL';
/** The file in that folder with the message that a new thread reads before its code runs. */
exports.FIRST = 'first.json';
/** The end of the name of the file with the answer of a thread that has ended; the id of the thread comes first. */
exports.ENDED = '.answer.json';
