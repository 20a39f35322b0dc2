import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

import { processesFrom } from '../processes/processes.js';

/** @import { ProcessState } from '../processes/processes.js' */

/**
 * Finds the processes that listen at a port: none if they belong to other users; null if nothing listens there.
 * @type {(port: number) => ProcessState[] | null}
 */
export function listenersAt(port) {
  const sockets = listeningSockets(port);
  if (sockets.size === 0) return null;
  const isListener = (/** @type {ProcessState} */ { pid }) => holds(pid, sockets);
  // Without their children.
  return (processesFrom(isListener) ?? []).filter(isListener);
}

/** @type {(pid: number, sockets: Set<string>) => boolean} */
function holds(pid, sockets) {
  try {
    return openFiles(pid).some((file) => sockets.has(file));
  } catch {
    return false;
  }
}

/** @type {(pid: number) => string[]} */
function openFiles(pid) {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).map((file) => linkOf(`${folder}/${file}`));
}

/** @type {(path: string) => string} empty if it was closed */
function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Columns of /proc/net/tcp, from 0: proc(5). */
const TCP = { address: 1, state: 3, inode: 9 };
const LISTENS = '0A';

/** Finds sockets as Linux names them: `socket:[4711]`; none without /proc. @type {(port: number) => Set<string>} */
export function listeningSockets(port) {
  const rows = [...rowsOf('/proc/net/tcp'), ...rowsOf('/proc/net/tcp6')].filter(
    (row) => row[TCP.state] === LISTENS && portOf(row[TCP.address]) === port,
  );
  return new Set(rows.map((row) => `socket:[${row[TCP.inode]}]`));
}

/** Reads a port: `0100007F:1F90` is 127.0.0.1:8080. @type {(address: string) => number} */
function portOf(address) {
  return parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}

/** @type {(path: string) => string[][]} */
function rowsOf(path) {
  try {
    const [, ...lines] = readFileSync(path, 'latin1').trim().split('\n');
    return lines.map((line) => line.trim().split(/ +/));
  } catch {
    // The system is another one, or has no IPv6.
    return [];
  }
}
