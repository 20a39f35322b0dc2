'use strict';

const Module = require('module');
const { pathToFileURL } = require('url');

const { HONO } = require('./names.cjs');

/** The modules with the class, of both kinds. */
const FILE = /[\\/]hono[\\/]dist[\\/](?:cjs[\\/])?(?:hono|preset[\\/](?:quick|tiny))\.js$/;
const REQUIRED = `\n;require('diagnostics_channel').channel('${HONO}').publish(exports.Hono);`;
const IMPORTED = `\nimport { channel as __benchRest } from 'node:diagnostics_channel';\n__benchRest('${HONO}').publish(Hono);`;

/** Lets the module of Hono publish its class, if the project has one: nothing else leads to its applications. */
exports.addHooks = function addHooks() {
  try {
    Module.createRequire(`${process.cwd()}/`).resolve('hono');
  } catch {
    return;
  }
  const { prototype } = /** @type {any} */ (Module);
  const compile = prototype._compile;
  /** @this {any} */
  prototype._compile = function (
    /** @type {string} */ code,
    /** @type {string} */ file,
    /** @type {any[]} */ ...others
  ) {
    const isHono = typeof file === 'string' && FILE.test(file) && typeof code === 'string';
    return Reflect.apply(compile, this, [isHono ? code + REQUIRED : code, file, ...others]);
  };
  const { register, registerHooks } = /** @type {any} */ (Module);
  if (registerHooks)
    registerHooks({
      load: (/** @type {string} */ url, /** @type {any} */ context, /** @type {any} */ next) =>
        withLine(url, next(url, context)),
    });
  // Node before 22.15 runs hooks in a thread of their own, which would run other preloads of the project once more.
  else if (countPreloads() === 1) register(pathToFileURL(__filename));
};

/**
 * Counts the files that `--require` names, without that of Vitest, which only hides a warning.
 * @type {() => number}
 */
function countPreloads() {
  const options = [...process.execArgv, process.env.NODE_OPTIONS].join(' ');
  return options.match(/(?<!\S)(?:-r|--require)(?=[\s=])(?!.\S*[\\/]vitest[\\/]suppress-warnings\.cjs)/g)?.length ?? 0;
}

/** The hook of that thread. @type {(url: string, context: object, next: Function) => Promise<any>} */
exports.load = async function load(url, context, next) {
  return withLine(url, await next(url, context));
};

/**
 * The thread of the hooks loads this file, too, and would add the line again.
 * @type {(url: string, loaded: any) => any}
 */
function withLine(url, loaded) {
  if (!FILE.test(url) || loaded?.format !== 'module' || !loaded.source) return loaded;
  const code = Buffer.from(loaded.source).toString();
  return code.includes(HONO) ? loaded : { ...loaded, source: code + IMPORTED };
}
