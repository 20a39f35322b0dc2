'use strict';

const { isMainThread, parentPort } = require('worker_threads');

// `NODE_OPTIONS` has `--require` with this file. A thread of Node's module hooks runs it, too, and one that fails there
// ends the whole process without a word: only threads of the suite have a port of their parent.
try {
  if (isMainThread || parentPort !== null) require('./observe.cjs');
} catch {
  // The suite runs without it.
}
