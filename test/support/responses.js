const lines = (...all) => all.join('\r\n');
const head = (...fields) => lines('HTTP/1.1 200 OK', ...fields, '', '');
const chunked = (...pieces) => head('Transfer-Encoding: chunked') + lines(...pieces);
const many = (count, line) => Array.from({ length: count }, (_, i) => line.replace('#', i));
const CLOSES_HEAD = 'it closes the connection after each HEAD';

/**
 * Responses and what they mean. `say`: what the server sends, in latin1; it closes the connection after that where
 * `closes` is set. Either `status`, `body` (default 'ok'), `headers` and `reuse` (default true), or `code`: the error.
 * `id`: the row of the fault catalogue that it belongs to, if any.
 * `undici` tells where that transport differs and why: `undici: [reason, { what differs }]`.
 */
export const RESPONSES = [
  // status line (RFC 9112 4)
  { what: 'a response', say: `${head('Content-Length: 2')}ok`, status: 200 },
  { what: 'a reason that is missing, with its space', say: lines('HTTP/1.1 200 ', 'Content-Length: 2', '', 'ok'), status: 200 },
  { what: 'a reason that is missing, without its space', say: lines('HTTP/1.1 200', 'Content-Length: 2', '', 'ok'), status: 200 },
  { id: 'F33', what: 'a reason in bytes beyond ASCII', say: lines('HTTP/1.1 200 \xe9\xff', 'Content-Length: 2', '', 'ok'), status: 200 },
  { id: 'F29', what: 'a status above 599', say: lines('HTTP/1.1 999 Odd', 'Content-Length: 2', '', 'ok'), status: 999 },
  { id: 'F43', what: 'HTTP/1.0 closes', say: lines('HTTP/1.0 200 OK', 'Content-Length: 2', '', 'ok'), status: 200, reuse: false },
  { id: 'F43', what: 'HTTP/1.0 with keep-alive does not', say: lines('HTTP/1.0 200 OK', 'Connection: Keep-Alive', 'Content-Length: 2', '', 'ok'), status: 200 },
  { what: 'a minor version we do not know is read as 1.1', say: lines('HTTP/1.7 200 OK', 'Content-Length: 2', '', 'ok'), status: 200, undici: ['llhttp knows 0.9, 1.0, 1.1 and 2.0; RFC 9110 2.5 asks to go on', { code: true }] },
  ...[
    'HTTP/2 200', 'HTP/1.1 200 OK', 'HTTP/1.1 20', 'HTTP/1.1 2000 OK', 'HTTP/1.1  200 OK', 'HTTP/1.1\t200 OK', 'http/1.1 200 OK', 'HTTP/1.1 2x0 OK', 'HTTP/11 200 OK',
    'HTTP/1.1 000 OK', 'HTTP/1.1 099 OK', 'HTTP/1.1 0 OK', 'HTTP/1.1 99 OK', 'HTTP/1.1 200\tOK', 'HTTP/1.1 200 O\0K', ' HTTP/1.1 200 OK', 'SSH-2.0-x', 'ICY 200 OK', 'RTSP/1.0 200 OK', '\x16\x03\x01\x02\x00',
  ].map((line) => ({
    id: / (0|99)/.test(line) ? 'F29' : 'F27', what: `status line ${JSON.stringify(line)}`, say: lines(line, 'Content-Length: 2', '', 'ok'), closes: true, code: 'E_STATUS_LINE',
    ...(line.includes('O\0K') && { undici: ['llhttp takes any byte in a reason', { status: 200, reuse: false }] }),
    ...(line.startsWith('RTSP') && { undici: ['llhttp reads RTSP as well', { status: 200, reuse: false }] }),
  })),
  { what: 'an empty line before the status line', say: `\r\n${head('Content-Length: 2')}ok`, code: 'E_STATUS_LINE', undici: ['llhttp skips empty lines', { status: 200 }] },

  // fields (RFC 9112 5, RFC 9110 5)
  { what: 'spaces and tabs around a value', say: `${head('a:\t 2\t ', 'Content-Length:\t2 ')}ok`, status: 200, headers: { a: '2' } },
  { id: 'F27', what: '70 KB of a status line without its end', say: `HTTP/1.1 200 ${'x'.repeat(70_000)}`, closes: true, code: 'E_HEAD_TOO_LARGE', undici: ['llhttp has no limit for a reason', { code: true }] },
  { id: 'F33', what: 'fields of all sorts', say: `${head('a:1', 'B:  2 ', 'c:', 'x-!#$%&\'*+.^_`|~9: \xe9\xff\t"', 'a: 3', 'content-LENGTH: 2')}ok`, status: 200, headers: { a: '1, 3', b: '2', c: '', 'x-!#$%&\'*+.^_`|~9': '\xe9\xff\t"' } },
  { what: 'cookies stay apart', say: `${head('Set-Cookie: a=1', 'set-cookie: b=2', 'Content-Length: 2')}ok`, status: 200, headers: { 'set-cookie': ['a=1', 'b=2'] } },
  { what: 'a field named as no property should be', say: `${head('__proto__: x', 'constructor: y', 'Content-Length: 2')}ok`, status: 200, headers: { constructor: 'y' } },
  { id: 'F30', what: '1,000 fields', say: `${head(...many(999, 'x-#: 1'), 'Content-Length: 2')}ok`, status: 200 },
  { id: 'F30', what: '1,001 fields', say: `${head(...many(1000, 'x-#: 1'), 'Content-Length: 2')}ok`, code: 'E_TOO_MANY_FIELDS', undici: ['it limits the bytes of a head, not the fields', { status: 200 }] },
  { id: 'F30', what: 'a head of 60 KB', say: `${head(`x: ${'y'.repeat(60_000)}`, 'Content-Length: 2')}ok`, status: 200 },
  { id: 'F30', what: 'a head of 70 KB', say: `${head(`x: ${'y'.repeat(70_000)}`, 'Content-Length: 2')}ok`, code: 'E_HEAD_TOO_LARGE' },
  { id: 'F30', what: 'a field without an end', say: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`, code: 'E_HEAD_TOO_LARGE' },
  ...[
    ['no colon', 'nothing'], ['a space before the colon', 'a : b'], ['a tab before the colon', 'a\t: b'], ['a folded line', 'a: b\r\n c'], ['a folded line of a tab', 'a: b\r\n\tc'],
    ['an empty name', ': b'], ['NUL in a value', 'a: b\0c'], ['NUL in a name', 'a\0: b'], ['a bare CR', 'a: b\rc'], ['a control in a value', 'a: \x01'], ['ESC in a value', 'a: \x1b[0m'],
    ['CR CR LF', 'a: b\r'], ['a name that is no token', 'a(b): c'], ['a name beyond ASCII', '\xe9: c'], ['a quoted name', '"a": c'],
  ].map(([what, line]) => ({ id: 'F32', what: `a field with ${what}`, say: `${head(line, 'Content-Length: 2')}ok`, closes: true, code: 'E_FIELD' })),
  { id: 'F32', what: 'DEL in a value', say: `${head('a: \x7f', 'Content-Length: 2')}ok`, closes: true, code: 'E_FIELD' },
  { id: 'F32', what: 'a bare LF at the end of a field', say: 'HTTP/1.1 200 OK\r\na: b\nContent-Length: 2\r\n\r\nok', closes: true, code: 'E_FIELD' },
  { id: 'F32', what: 'a bare LF at the end of the head', say: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\nok', closes: true, code: 'E_FIELD' },

  // length of the body (RFC 9112 6)
  { id: 'F42', what: 'no body: length 0', say: head('Content-Length: 0'), status: 200, body: '' },
  { id: 'F34', what: 'a length with zeros before it', say: `${head('Content-Length: 0002')}ok`, status: 200 },
  { id: 'F34', what: 'a tab after a length', say: `${head('Content-Length: 2\t')}ok`, status: 200, undici: ['it takes the tab for a part of it', { code: true }] },
  { id: 'F34', what: 'two equal lengths', say: `${head('Content-Length: 2', 'Content-Length: 2')}ok`, status: 200, undici: ['llhttp refuses repeats; RFC 9110 8.6 allows equal ones', { code: true }] },
  { id: 'F34', what: 'a list of equal lengths', say: `${head('Content-Length: 2, 2')}ok`, status: 200, undici: ['llhttp refuses lists', { code: true }] },
  ...['-1', '+2', '0x2', '2 2', '2, 3', '', '2s', '2.0', '99999999999999999999', '9007199254740993', '2,', ',2', '\xb2', '\xa02', '2,\xa02'].map((value) => ({
    id: 'F34', what: `Content-Length: ${JSON.stringify(value)}`, say: `${head(`Content-Length: ${value}`)}ok`, closes: true, code: 'E_CONTENT_LENGTH',
    ...(/^9+7|^9007/.test(value) && { undici: ['llhttp counts to 2^64; more than 2^53 would be rounded here', { code: true }] }),
  })),
  { id: 'F34', what: 'two lengths that differ', say: `${head('Content-Length: 2', 'Content-Length: 3')}ok`, closes: true, code: 'E_CONTENT_LENGTH' },
  { id: 'F35', what: 'chunks and a length', say: `${head('Transfer-Encoding: chunked', 'Content-Length: 2')}2\r\nok\r\n0\r\n\r\n`, closes: true, code: 'E_FRAMING' },
  { id: 'F35', what: 'a length and chunks', say: `${head('Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`, closes: true, code: 'E_FRAMING' },
  { id: 'F36', what: 'chunked twice', say: `${head('Transfer-Encoding: chunked, chunked')}2\r\nok\r\n0\r\n\r\n`, closes: true, code: 'E_FRAMING', undici: ['llhttp looks at the last coding alone', { status: 200, reuse: false }] },
  { id: 'F36', what: 'another coding, then chunked', say: `${head('Transfer-Encoding: gzip, chunked')}2\r\nok\r\n0\r\n\r\n`, status: 200 },
  { id: 'F36', what: 'empty elements around chunked', say: `${head('Transfer-Encoding: , chunked,')}2\r\nok\r\n0\r\n\r\n`, closes: true, status: 200, reuse: false, undici: ['llhttp reads it as another coding', { body: '2\r\nok\r\n0\r\n\r\n' }] },
  { id: 'F36', what: 'chunked in other letters', say: `${head('Transfer-Encoding: ChunKED')}2\r\nok\r\n0\r\n\r\n`, status: 200 },
  { id: 'F36', what: 'chunked in two fields', say: `${head('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`, closes: true, code: 'E_FRAMING', undici: ['llhttp looks at the last coding alone', { status: 200, reuse: false }] },
  { id: 'F36', what: 'the coding that was taken back, identity: to the end of the connection', say: `${head('Transfer-Encoding: identity')}ok`, closes: true, status: 200, reuse: false },
  { id: 'F36', what: 'chunked, then another coding: to the end of the connection', say: `${head('Transfer-Encoding: chunked, gzip')}ok`, closes: true, status: 200, reuse: false },
  { id: 'F36', what: 'an unknown coding: to the end of the connection', say: `${head('Transfer-Encoding: chunkedchunked')}ok`, closes: true, status: 200, reuse: false },
  { id: 'F44', what: 'no length at all: to the end of the connection', say: `${head()}ok`, closes: true, status: 200, reuse: false },
  { id: 'F37', what: 'chunks on HTTP/1.0', say: lines('HTTP/1.0 200 OK', 'Connection: keep-alive', 'Transfer-Encoding: chunked', '', '2', 'ok', '0', '', ''), status: 200, reuse: false, undici: ['it reuses the connection', { reuse: true }] },

  // chunks (RFC 9112 7.1)
  { what: 'chunks', say: chunked('1', 'o', '1', 'k', '0', '', ''), status: 200 },
  { what: 'no chunk but the last', say: chunked('0', '', ''), status: 200, body: '' },
  { what: 'hexadecimal sizes', say: chunked('a', '0123456789', '0B', '0123456789a', '000', '', ''), status: 200, body: '01234567890123456789a' },
  { id: 'F48', what: 'chunk extensions', say: chunked('2;a;b=c;d="e f\\"" ; g', 'ok', '0;x=y', '', ''), status: 200, undici: ['llhttp takes no space around the semicolon', { code: true }] },
  { id: 'F50', what: 'trailers', say: chunked('2', 'ok', '0', 'x: y', 'Content-Length: 5', '', ''), status: 200, undici: ['llhttp refuses a Content-Length among them', { code: true }] },
  ...[
    ['G', 'a size that is none'], ['', 'an empty size'], ['-1', 'a negative size'], ['0x2', 'a size with 0x'], [' 2', 'a space before the size'], ['00000000000000002', 'a size of 17 digits'],
    ['FFFFFFFFFFFFFFFF', 'a size beyond counting'], ['2;', 'an extension without a name'], ['2;a="b', 'a quote that does not end'], ['2;a=\x01', 'a control in an extension'],
  ].map(([size, what]) => ({ id: 'F48', what, say: chunked(size, 'ok', '0', '', ''), closes: true, code: 'E_CHUNK', ...(size.length === 17 && { undici: ['llhttp counts values, not digits', { status: 200, reuse: false }] }) })),
  { id: 'F53', what: 'a chunk a byte', say: chunked(...many(2000, '1\r\nx'), '0', '', ''), status: 200, body: 'x'.repeat(2000) },
  { id: 'F48', what: 'a space after the size', say: chunked('2 ', 'ok', '0', '', ''), closes: true, code: 'E_CHUNK' },
  { id: 'F48', what: '20 KB of extensions', say: chunked(`2;a=${'b'.repeat(20_000)}`, 'ok', '0', '', ''), code: 'E_CHUNK', undici: ['llhttp limits them not by themselves', { status: 200 }] },
  { id: 'F48', what: 'no end of line after a chunk', say: chunked('2', 'okk', '0', '', ''), closes: true, code: 'E_CHUNK' },
  { id: 'F48', what: 'a bare LF after a chunk size', say: chunked('2\nok', '0', '', ''), closes: true, code: 'E_CHUNK' },
  { id: 'F50', what: 'NUL in a trailer', say: chunked('2', 'ok', '0', 'a: \0', '', ''), closes: true, code: 'E_FIELD' },
  { id: 'F50', what: 'trailers without an end', say: chunked('2', 'ok', '0', ...many(10_000, 'x-#: 1')), code: true },

  // interim responses (RFC 9110 15.2) and responses without a body
  { id: 'F38', what: '100, 102 and 103 before it', say: lines('HTTP/1.1 103 Early Hints', 'Link: </x>', '', 'HTTP/1.1 102 Processing', '', `HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n${head('Content-Length: 2')}ok`), status: 200 },
  { id: 'F38', what: 'an interim response that says close', say: `${lines('HTTP/1.1 103 Early Hints', 'Connection: close', '', '')}${head('Content-Length: 2')}ok`, status: 200, undici: ['it minds it', { code: true }] },
  { id: 'F39', what: '21 interim responses', say: `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(21)}${head('Content-Length: 2')}ok`, code: 'E_1XX_FLOOD', undici: ['it has no limit', { status: 200 }] },
  { id: 'F38', what: '100 Continue', say: `HTTP/1.1 100 Continue\r\n\r\n${head('Content-Length: 2')}ok`, status: 200, undici: ['it takes one that nobody asked for as an error', { code: true }] },
  { id: 'F40', what: '101 that nobody asked for', say: lines('HTTP/1.1 101 Switching Protocols', 'Upgrade: x', 'Connection: upgrade', '', ''), closes: true, code: 'E_UPGRADE' },
  { id: 'F40', what: '100 with a body of its own', say: `HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello${head('Content-Length: 2')}ok`, closes: true, code: 'E_STATUS_LINE' },
  { id: 'F41', what: '204', say: lines('HTTP/1.1 204 No Content', '', ''), status: 204, body: '' },
  { id: 'F41', what: '204 that says a length', say: lines('HTTP/1.1 204 No Content', 'Content-Length: 5', '', ''), status: 204, body: '', undici: ['it waits for no body, but misses it', { code: true }] },
  { id: 'F41', what: '304 that says a length', say: lines('HTTP/1.1 304 Not Modified', 'Content-Length: 5', '', ''), status: 304, body: '', undici: ['it misses the body, which RFC 9110 8.6 says is not there', { code: true }] },
  { id: 'F41', what: '304 that says chunked', say: lines('HTTP/1.1 304 Not Modified', 'Transfer-Encoding: chunked', '', ''), status: 304, body: '' },
  { id: 'F42', what: '205 with chunks', say: lines('HTTP/1.1 205 Reset Content', 'Transfer-Encoding: chunked', '', '0', '', ''), status: 205, body: '' },
  { id: 'F41', what: 'HEAD with a length', method: 'HEAD', say: head('Content-Length: 5'), status: 200, body: '', undici: [CLOSES_HEAD, { reuse: false }] },
  { id: 'F41', what: 'HEAD with chunked', method: 'HEAD', say: head('Transfer-Encoding: chunked'), status: 200, body: '', undici: [CLOSES_HEAD, { reuse: false }] },
  { id: 'F41', what: 'HEAD without any', method: 'HEAD', say: head(), status: 200, body: '', undici: [CLOSES_HEAD, { reuse: false }] },
  { id: 'F42', what: '205 with a body', say: lines('HTTP/1.1 205 Reset Content', 'Content-Length: 2', '', 'ok'), status: 205 },

  // reuse (RFC 9112 9.3)
  { id: 'F43', what: 'Connection: close', say: `${head('Connection: close', 'Content-Length: 2')}ok`, status: 200, reuse: false },
  { id: 'F43', what: 'close among others', say: `${head('Connection: Keep-Alive, CLOSE', 'Content-Length: 2')}ok`, status: 200, reuse: false },
  { id: 'F43', what: 'an option that is not ours', say: `${head('Connection: x-close', 'Content-Length: 2')}ok`, status: 200 },
  { id: 'F43', what: 'Proxy-Connection means nothing', say: `${head('Proxy-Connection: close', 'Content-Length: 2')}ok`, status: 200, undici: ['llhttp heeds it', { reuse: false }] },
  { id: 'F20', what: 'bytes after the response', say: `${head('Content-Length: 2')}okX`, status: 200, reuse: false },
  { id: 'F20', what: 'a second response nobody asked for', say: `${head('Content-Length: 2')}ok${head('Content-Length: 2')}no`, status: 200, reuse: false },
  { id: 'F41', what: 'a body after 204', say: `${lines('HTTP/1.1 204 No Content', '', '')}ok`, status: 204, body: '', reuse: false },
  { id: 'F41', what: 'a body after HEAD', method: 'HEAD', say: `${head('Content-Length: 2')}ok`, status: 200, body: '', reuse: false },
  { id: 'F23', what: 'closed after the response', say: `${head('Content-Length: 2')}ok`, closes: true, status: 200, reuse: false },

  // cut short
  { id: 'F8', what: 'nothing', say: '', closes: true, code: 'E_RESET_BEFORE_HEAD' },
  { id: 'F25', what: 'cut in the status line', say: 'HTTP/1.1 2', closes: true, code: 'E_RESET_IN_HEAD' },
  { id: 'F25', what: 'cut in the fields', say: 'HTTP/1.1 200 OK\r\nContent-Le', closes: true, code: 'E_RESET_IN_HEAD' },
  { id: 'F25', what: 'cut after an interim response', say: 'HTTP/1.1 103 Early Hints\r\n\r\n', closes: true, code: 'E_RESET_IN_HEAD' },
  { id: 'F45', what: 'cut in the body', say: `${head('Content-Length: 5')}ok`, closes: true, code: 'E_BODY_SHORT' },
  { id: 'F49', what: 'cut in a chunk', say: chunked('5', 'ok'), closes: true, code: 'E_CHUNK_SHORT' },
  { id: 'F49', what: 'cut before the last chunk', say: chunked('2', 'ok', ''), closes: true, code: 'E_CHUNK_SHORT' },
  { id: 'F49', what: 'cut in the last chunk', say: chunked('2', 'ok', '0', ''), closes: true, code: 'E_CHUNK_SHORT' },
];
