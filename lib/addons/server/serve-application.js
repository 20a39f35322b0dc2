import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { acceptTypes } from '../../core/process/typescript.js';
import { isTarget, serverOf } from './target-kinds.js';

// A process of its own, which `start.app` starts: it serves the application that a module exports at the port in PORT.

/** Exports that are asked in this order, before all others. */
const NAMES = ['default', 'app', 'server', 'module.exports'];
/** `./app.js#build` @type {RegExp} */
const ADDRESS = /^(.*?)(?:#([^#/\\]*))?$/s;

const [, , address] = process.argv;
const [, path, name] = /** @type {RegExpExecArray} */ (ADDRESS.exec(address));
if (!(await acceptTypes(resolve(path))))
  fail(`is TypeScript, which Node ${process.version} does not run`, 'npm install --save-dev tsx');
const imported = await import(pathToFileURL(resolve(path)).href);
// A compiler has written CommonJS.
const exported = imported.default?.__esModule ? imported.default : imported;
const found = name ? (exported[name] ?? exported.default?.[name]) : undefined;
if (name && found === undefined) fail(`has no export ${name}`);
const application = await firstOf(name ? [found] : valuesOf(exported));
const server = await serverOf(application);
if (!server.listening)
  server
    // The module itself listens there.
    .on('error', (/** @type {NodeJS.ErrnoException} */ error) => error.code === 'EADDRINUSE' || fail(error.message))
    .listen(Number(process.env.PORT), '127.0.0.1');

/** @type {(exported: Record<string, any>) => unknown[]} */
function valuesOf(exported) {
  const all = { ...(isObject(exported.default) && exported.default), ...exported };
  return [...NAMES.map((one) => all[one]), ...Object.values(all)];
}

/** @type {(value: unknown) => value is Record<string, any>} */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** @type {(values: any[]) => Promise<any>} */
async function firstOf(values) {
  for (const value of values) {
    const made = isMaker(value) ? await value() : await value;
    if (isTarget(made)) return made;
  }
  return fail('exports no application, and no function that returns one');
}

/** Reports whether a function makes an application: it takes no response. @type {(value: any) => boolean} */
function isMaker(value) {
  return typeof value === 'function' && value.length < 2 && !value.handle && !/^class\b/.test(String(value));
}

/** The output of a server that ends is shown. @type {(why: string, cure?: string) => never} */
function fail(why, cure = 'use --start with the command that starts your server') {
  process.stderr.write(`${path} ${why}: ${cure}\n`);
  process.exit(1);
}
