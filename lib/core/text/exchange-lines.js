import { hidingSecretsOf, maskField, maskText } from './mask.js';
import { escapeText, safe } from './safe.js';

/** @import { Beginning, TracedExchange } from './types.js' */

/** Characters of a body that are printed. */
const MAX_BODY = 2000;
/** The first half of a character, or of a line break, at the end of a text that was cut. */
const HALF = /[\ud800-\udbff\r]$/;
/** A measured call has no status. */
const RETURNED = 'returned';
/** Bytes of a body that are kept: more than is printed, so that secrets are masked before the text is cut. */
const KEPT_BYTES = 64 * 1024;

/**
 * Returns the part of a body that can be printed, so that large bodies are not copied between threads. `wholeSize`: the
 * body was cut already, and had so many bytes.
 * @type {(body: string | Buffer | null, wholeSize?: number) => Beginning | null}
 */
export function beginningOf(body, wholeSize) {
  if (body === null) return null;
  const size = Buffer.byteLength(body);
  const start = typeof body === 'string' ? Buffer.from(body.slice(0, KEPT_BYTES)) : body;
  const bytes = Buffer.from(start.subarray(0, KEPT_BYTES));
  const isCut = wholeSize !== undefined || bytes.length < size;
  return { bytes: isCut ? wholeCharacters(bytes) : bytes, size: wholeSize ?? size, isCut };
}

/** Drops a character beyond ASCII at the end, which may be incomplete. @type {(bytes: Buffer) => Buffer} */
function wholeCharacters(bytes) {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 3 && (bytes[end - 1] & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end > 0 && bytes[end - 1] >= 0xc0 ? end - 1 : bytes.length);
}

/** For people: its place and times, and its lines, with secrets masked. @type {(exchange: TracedExchange) => string} */
export function exchangeText({ where, ms, waitedMs, secrets, ...exchange }) {
  const wait = waitedMs === undefined ? '' : `, sent again after a wait of ${waitedMs.toFixed(0)} ms`;
  return hidingSecretsOf(
    { secrets: () => secrets },
    () => `${safe(where)} (${ms.toFixed(1)} ms${wait})\n${exchangeLines(exchange).join('\n')}\n\n`,
  );
}

/**
 * Formats an exchange as lines, with secrets masked: `>` the request, and `<` the response or, without one, `!` the
 * error.
 * @type {(exchange: Omit<TracedExchange, 'where' | 'ms' | 'secrets'>) => string[]}
 */
export function exchangeLines({ request, response, error }) {
  const sent = marked('>', [
    `${request.method} ${maskText(request.url)}`,
    ...request.headers.map(([name, value]) => field(name, value)),
    ...bodyLines(request.body),
  ]);
  if (!response) return [...sent, ...marked('!', [maskText(error ?? '')])];
  const { statusCode, headers, body } = response;
  return [...sent, ...marked('<', [String(statusCode || RETURNED), ...receivedFields(headers), ...bodyLines(body)])];
}

/** @type {(headers: Record<string, string | string[]>) => string[]} */
function receivedFields(headers) {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => field(name, value)));
}

/** @type {(name: string, value: string) => string} */
function field(name, value) {
  return `${name}: ${maskField(name, String(value))}`;
}

/** @type {(body: Beginning | null) => string[]} */
function bodyLines(body) {
  if (body === null || body.size === 0) return [];
  const { bytes, size, isCut } = body;
  const text = Buffer.from(bytes).toString();
  if (!Buffer.from(text).equals(bytes)) return ['', `(${size} bytes of binary data)`];
  const masked = maskText(text);
  const shown = masked.length > MAX_BODY ? masked.slice(0, MAX_BODY).replace(HALF, '') : masked;
  const more = masked.length - shown.length;
  const rest = isCut ? [`(cut off; the body has ${size} bytes)`] : more > 0 ? [`(${more} more characters)`] : [];
  return ['', ...shown.split(/\r?\n/), ...rest];
}

/** @type {(mark: string, lines: string[]) => string[]} */
function marked(mark, lines) {
  return lines.map((line) => `${mark} ${escapeText(line)}`.trimEnd());
}
