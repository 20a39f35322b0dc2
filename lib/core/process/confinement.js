import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

import { HIGHEST_PORT } from '../ground/units.js';
import { asUrlHost, writeAddress } from '../http/url-parts.js';

/**
 * The limits of a flow from another machine, or from an assistant: what it may reach on this machine.
 *
 * @typedef {object} Confinement
 * @property {string} folder that has the files of the flow
 * @property {boolean} isClosed no files elsewhere are read, and no unix sockets are used
 * @property {string[]} files elsewhere that are read although it is closed: absolute paths
 * @property {string[] | null} variables of the environment that it may read; null: all
 * @property {string[] | null} targets where it may send requests: `host:port`, see {@link isTarget}; null: everywhere
 */

/** The name for worker_threads: threads that start later read it, too. */
const KEY = 'bench-rest: confinement';
const TARGET = /^(?:\*|(?:\*\.)?[\w.-]+|\[[\da-f:.]+\]):(?:\*|\d{1,5})$/i;

/**
 * Confines this thread, and threads that start later; undefined: nothing is confined. A process has one flow from
 * elsewhere at a time.
 * @type {(rules: Confinement | undefined) => void}
 */
export function confine(rules) {
  setEnvironmentData(KEY, /** @type {any} */ (rules));
}

/** @type {() => Confinement | undefined} */
function confinement() {
  return /** @type {any} */ (getEnvironmentData(KEY));
}

/** Reports whether a confined flow may not read a file. Links are followed. @type {(path: string) => boolean} */
export function isClosedOff(path) {
  const rules = confinement();
  if (rules?.isClosed !== true) return false;
  const absolute = resolve(path);
  if (rules.files.includes(absolute)) return false;
  return nameWithin(realPathOf(rules.folder), realPathOf(absolute)) === null;
}

/** Follows all links of a path; the end of it may not exist. @type {(path: string) => string} */
export function realPathOf(path) {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPathOf(folder), basename(path));
  }
}

/** Names a file relative to the private folder; null if it is outside. @type {(path: string) => string | null} */
export function nameInPrivateFolder(path) {
  const rules = confinement();
  return rules ? nameWithin(rules.folder, path) : null;
}

/** @type {(name: string) => boolean} whether a flow may read a variable of the environment */
export function mayReadVariable(name) {
  return confinement()?.variables?.includes(name) ?? true;
}

/**
 * Returns `host:port` if a flow must not send requests there. `hostname` is without the brackets of an IPv6 address;
 * `ofRun`: the targets that the run allows, which can only be fewer than those of the process.
 * @type {(hostname: string, port: number, ofRun?: string[]) => string | null}
 */
export function refusedTarget(hostname, port, ofRun) {
  const isRefused = [confinement()?.targets, ofRun].some(
    (targets) => targets && !targets.some((target) => matches(target, hostname.toLowerCase(), port)),
  );
  return isRefused ? writeAddress(hostname, port) : null;
}

/** Finds a target that others do not include. @type {(targets: string[], others: string[]) => string | undefined} */
export function firstOutside(targets, others) {
  return targets.find((target) => {
    const at = target.lastIndexOf(':');
    const [host, port] = [asUrlHost(target.slice(0, at)), Number(target.slice(at + 1))];
    return !others.some((other) => matches(other, host, port));
  });
}

/** Reports whether a flow may send requests to some hosts only, and so to no unix socket. @type {() => boolean} */
export function hasTargets() {
  return (confinement()?.targets ?? null) !== null;
}

/** @type {(text: string) => boolean} `host:port`; `*.example.com` are all hosts below it, `*` all hosts or all ports */
export function isTarget(text) {
  return TARGET.test(text) && !(Number(text.slice(text.lastIndexOf(':') + 1)) > HIGHEST_PORT);
}

/** @type {(target: string, hostname: string, port: number) => boolean} */
function matches(target, hostname, port) {
  const at = target.lastIndexOf(':');
  const [host, allowed] = [asUrlHost(target.slice(0, at)), target.slice(at + 1)];
  if (allowed !== '*' && Number(allowed) !== port) return false;
  return host === '*' || host === hostname || (host.startsWith('*.') && hostname.endsWith(host.slice(1)));
}

/** Reports whether a path leads out of its folder; `..users.csv` does not. @type {(path: string) => boolean} */
export function isOutside(path) {
  return isAbsolute(path) || path.split(sep)[0] === '..';
}

/** @type {(folder: string, path: string) => string | null} */
function nameWithin(folder, path) {
  const name = relative(folder, path);
  return name === '' || isOutside(name) ? null : name;
}
