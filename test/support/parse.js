import { HeadMemo } from '../../lib/core/transport/wire/head-memo.js';
import { ResponseParser } from '../../lib/core/transport/wire/parser.js';
import { WireResponse } from '../../lib/core/transport/wire/response.js';

/**
 * Parses a response in pieces: returns `{ status, headers, body, reuse }` or `{ code }`. All pieces arrive in the same
 * buffer, like in the transport.
 */
export function parse(pieces, { method = 'GET', closes = false, maxBodySize = 1e6, memo = new HeadMemo() } = {}) {
  const parser = new ResponseParser({ memo });
  const shared = Buffer.alloc(80_000);
  let hasExcess = false;
  parser.begin({ method, head: true, body: true, maxBodySize });
  try {
    for (const piece of pieces) {
      for (let from = 0; from < piece.length; from += shared.length) {
        const size = piece.copy(shared, 0, from);
        const end = parser.feed(shared, 0, size);
        hasExcess ||= end < size;
      }
    }
    const code = closes && !parser.isDone ? parser.end('closed') : null;
    if (code || !parser.isDone) return { code: code ?? 'unfinished' };
  } catch ({ code }) {
    return { code };
  }
  const response = new WireResponse();
  response.take(parser);
  const { statusCode, headers, body } = response;
  return {
    status: statusCode,
    headers: { ...headers },
    body: body.latin1Slice(),
    reuse: parser.keepsConnection && !hasExcess && !closes,
  };
}
