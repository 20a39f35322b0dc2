import { done } from './index.js';

/** Runs the script of an argument once, as the virtual user 1. */
globalThis.__VU = 1;
const { default: script } = await import(process.argv[2]);
script();
console.log(JSON.stringify(done));
