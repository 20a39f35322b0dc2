import { escapeText } from './escape.js';
import { maskField, maskText } from '../mask.js';

/**
 * @typedef {object} Exchange one request and what came back
 * @property {string} where
 * @property {{ method: string, url: string, headers: string[][], body: string | Uint8Array | null }} request
 * @property {{ statusCode: number, headers: Record<string, string | string[]>, body: Uint8Array | null }} [response]
 * @property {string} [error] message
 * @property {number} ms
 */

const LONGEST_BODY = 2000;

/**
 * An exchange as lines: `>` what was sent, `<` what came back; secrets are masked.
 *
 * @param {Exchange} exchange
 * @returns {string}
 */
export function exchangeText({ where, request, response, error, ms }) {
  const sent = marked('>', [
    `${request.method} ${maskText(request.url)}`,
    ...request.headers.map(([name, value]) => field(name, value)),
    ...bodyLines(request.body),
  ]);
  const got = response
    ? marked('<', [String(response.statusCode), ...received(response.headers), ...bodyLines(response.body)])
    : marked('!', [maskText(error ?? '')]);
  return `${escapeText(where)} (${ms.toFixed(1)} ms)\n${sent}${got}\n`;
}

/** @type {(headers: Record<string, string | string[]>) => string[]} */
function received(headers) {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => field(name, value)));
}

/** @type {(name: string, value: string) => string} */
function field(name, value) {
  return `${name}: ${maskField(name, String(value))}`;
}

/** @type {(body: string | Uint8Array | null) => string[]} */
function bodyLines(body) {
  if (body === null || body.length === 0) return [];
  const bytes = Buffer.from(body);
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes)) return ['', `(${bytes.length} bytes that are no text)`];
  const shown = maskText(text);
  const rest = shown.length > LONGEST_BODY ? [`(${shown.length - LONGEST_BODY} more characters)`] : [];
  return ['', ...shown.slice(0, LONGEST_BODY).split(/\r?\n/), ...rest];
}

/** @type {(mark: string, lines: string[]) => string} */
function marked(mark, lines) {
  return lines.map((line) => `${mark} ${escapeText(line)}`.trimEnd() + '\n').join('');
}
