import { readFileSync } from 'node:fs';

/**
 * @typedef {object} ListeningPlace
 * @property {number[]} ports
 * @property {string} [socketPath] instead of ports
 */

/** columns of /proc/net/tcp and /proc/net/unix: proc(5) */
const TCP = { address: 1, state: 3, inode: 9 };
const UNIX = { flags: 3, inode: 6, path: 7 };
const LISTENS = '0A';
const ACCEPTS = '00010000';

/**
 * The sockets that listen at a place, as Linux names them among the open files of a process: `socket:[4711]`.
 *
 * @param {ListeningPlace} place
 * @returns {Set<string>} empty without /proc
 */
export function listeningSockets({ ports, socketPath }) {
  const inodes =
    socketPath === undefined
      ? [...rowsOf('/proc/net/tcp'), ...rowsOf('/proc/net/tcp6')]
          .filter((row) => row[TCP.state] === LISTENS && ports.includes(portOf(row[TCP.address])))
          .map((row) => row[TCP.inode])
      : rowsOf('/proc/net/unix')
          .filter((row) => row[UNIX.flags] === ACCEPTS && row.slice(UNIX.path).join(' ') === socketPath)
          .map((row) => row[UNIX.inode]);
  return new Set(inodes.map((inode) => `socket:[${inode}]`));
}

/** `0100007F:1F90` is 127.0.0.1:8080. @type {(address: string) => number} */
function portOf(address) {
  return parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}

/** @type {(path: string) => string[][]} */
function rowsOf(path) {
  try {
    const [, ...lines] = readFileSync(path, 'latin1').trim().split('\n');
    return lines.map((line) => line.trim().split(/ +/));
  } catch {
    // another system, or one without IPv6
    return [];
  }
}
