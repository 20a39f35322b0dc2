import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { addLoaderHooks } from './module-kind.js';

/** @typedef {(specifier: string, context: object) => any} NextResolve */

const NAME = 'bench-rest';
const NOT_FOUND = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** This file is in the package, which finds itself by its name. */
const requireHere = createRequire(import.meta.url);

let isInstalled = false;

/** Lets a flow import bench-rest where it is not installed. @type {(path: string, source: string) => void} */
export function resolveOwnPackage(path, source) {
  if (isInstalled || !source.includes(NAME) || isFoundFrom(path)) return;
  isInstalled = true;
  addLoaderHooks({ resolve: resolveNow }, import.meta.url);
}

/** @type {(path: string) => boolean} */
function isFoundFrom(path) {
  try {
    createRequire(path).resolve(NAME);
    return true;
  } catch {
    return false;
  }
}

/** A resolve hook that runs in this thread. @type {(specifier: string, context: object, next: NextResolve) => any} */
function resolveNow(specifier, context, next) {
  try {
    return next(specifier, context);
  } catch (error) {
    return ownModule(specifier, error);
  }
}

/** @type {(specifier: string, context: object, next: NextResolve) => Promise<any>} */
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    return ownModule(specifier, error);
  }
}

/** Finds a module of this package; throws the error of any other. @type {(specifier: string, error: any) => object} */
function ownModule(specifier, error) {
  const isOwn = specifier === NAME || specifier.startsWith(`${NAME}/`);
  if (!isOwn || !NOT_FOUND.includes(error?.code)) throw error;
  return { url: pathToFileURL(requireHere.resolve(specifier)).href, shortCircuit: true };
}
