/** @import { ShellCommand } from '../curl/shell.js' */

/**
 * @typedef {object} CopiedRequest
 * @property {string} url
 * @property {string} [method]
 * @property {[name: string, value: string][]} headers
 * @property {string} [body]
 * @property {string[]} [notes] what has no equivalent
 */

/**
 * Writes a request as a command of curl: a browser follows redirects, and its URLs have no patterns.
 * @type {(request: CopiedRequest) => ShellCommand}
 */
export function asCommand({ url, method, headers, body, notes = [] }) {
  const fields = headers.flatMap(([name, value]) => ['-H', value === '' ? `${name};` : `${name}: ${value}`]);
  return {
    words: [
      ...['curl', '-g', '-L', '--url', url],
      ...(method === undefined ? [] : ['-X', method]),
      ...fields,
      ...(body === undefined ? [] : ['--data-raw', body]),
    ],
    problems: [],
    notes,
    captures: {},
  };
}
