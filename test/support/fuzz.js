import { open as openUndici } from '../../lib/transport/undici/index.js';
import { open as openWire } from '../../lib/transport/wire/index.js';
import { faulty } from './faulty-server.js';
import { RESPONSES } from './responses.js';
import { exchange, requestTo } from './transports.js';

const VALID = RESPONSES.filter(({ code, say }) => !code && say.length < 500);
const OCTETS = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '0',
  '1',
  '9',
  'a',
  'F',
  '-',
  '"',
  '\x7f',
  '\xa0',
  '\xff',
  '=',
  'x',
];
const LIMITS = { maxBodySize: 1e6, maxHeaderSize: 64 * 1024, maxHeaderFields: 1000 };

/** A response that was valid before some of its bytes were changed, in pieces; `random` decides how. */
export function mutant(random) {
  const { say, method = 'GET' } = random.pick(VALID);
  let text = say;
  for (let i = random.below(4); i > 0; i--) text = random.pick(MUTATIONS)(text, random);
  const cuts = Array.from({ length: random.below(4) }, () => random.below(text.length + 1)).sort((a, b) => a - b);
  const pieces = [0, ...cuts].map((at, i) => Buffer.from(text.slice(at, cuts[i]), 'latin1'));
  return { text, method, pieces: pieces.filter(({ length }) => length > 0) };
}

const MUTATIONS = [
  (text, { below, pick }) => splice(text, below(text.length), 1, pick(OCTETS)),
  (text, { below, pick }) => splice(text, below(text.length), 0, pick(OCTETS)),
  (text, { below }) => splice(text, below(text.length), 1 + below(3), ''),
  (text, { below }) => text.slice(0, below(text.length + 1)),
  (text, { below }) => {
    const [at, to] = [below(text.length), below(text.length)];
    return splice(text, to, 0, text.slice(at, at + 1 + below(20)));
  },
  (text, { pick }) => {
    const lines = text.split('\r\n');
    lines.splice(Math.min(1, lines.length), 0, pick(EXTRA_FIELDS));
    return lines.join('\r\n');
  },
  (text, { below, pick }) => text.slice(0, below(text.length)) + pick(VALID).say,
];

const EXTRA_FIELDS = [
  'Content-Length: 2',
  'Content-Length: 3',
  'Transfer-Encoding: chunked',
  'Connection: close',
  'Connection: keep-alive',
  'a: b',
  ' folded',
  'Transfer-Encoding: gzip',
];

function splice(text, at, count, added) {
  return text.slice(0, at) + added + text.slice(at + count);
}

/** Known differences between the transports, with their reasons; `text` is what the server sent. */
const DIFFERENCES = [
  {
    why: 'llhttp accepts any byte in a reason phrase, and RTSP',
    holds: ({ text }, wire) => wire.code === 'E_STATUS_LINE' && /^(HTTP|RTSP|ICE)\/1\.[01] \d{3}/.test(text),
  },
  {
    why: 'llhttp skips empty lines before a response',
    holds: ({ text }, wire) => wire.code === 'E_STATUS_LINE' && /(^|\r\n\r\n)[\r\n]/.test(text),
  },
  { why: 'llhttp only reads the last coding', holds: (_, wire) => wire.code === 'E_FRAMING' },
  {
    why: 'llhttp limits the value of a chunk size, not its digits',
    holds: ({ text }, wire) => wire.code === 'E_CHUNK' && /(^|\n)[0-9a-f]{17}/i.test(text),
  },
  {
    why: 'llhttp refuses repeated and listed lengths, even equal ones',
    holds: ({ text }, _, undici) =>
      undici.code && (text.match(/content-length/gi)?.length > 1 || /content-length:[^\r]*,/i.test(text)),
  },
  {
    why: 'llhttp is stricter in chunk extensions and trailers',
    holds: ({ text }, _, undici) => undici.code && /chunked/i.test(text) && /;|\r\n0+\r\n[^\r]/.test(text),
  },
  {
    why: 'undici reports the body of a 204 or 304 as missing',
    holds: ({ text }, wire, undici) =>
      undici.code === 'E_PROTOCOL' && /content-length/i.test(text) && (wire.status === 204 || wire.status === 304),
  },
  {
    why: 'llhttp refuses unknown minor versions',
    holds: ({ text }, _, undici) => undici.code && /HTTP\/1\.[2-9]/.test(text),
  },
  {
    why: 'llhttp does not skip empty elements of a list (RFC 9110 5.6.1)',
    holds: ({ text }) => /transfer-encoding:[^\r]*(,\s*\r|,\s*,|:\s*,)/i.test(text),
  },
  {
    why: 'undici obeys Connection: close in an interim response',
    holds: ({ text }, _, undici) => undici.code && /^HTTP\/1\.1 1\d\d[^\n]*\r\n(.+\r\n)*connection:.*close/i.test(text),
  },
  {
    why: 'undici reads a tab after a length or a coding as a part of the value',
    holds: ({ text }) => /(content-length|transfer-encoding):[^\r]*\t\s*\r/i.test(text),
  },
  {
    why: 'undici refuses an unrequested 100',
    holds: ({ text }, _, undici) => undici.code && /HTTP\/1\.[01] 100/.test(text),
  },
];

/** Runs cases on both transports; returns those that differ without a known reason. */
export async function findDifferences(cases, lanes = 16) {
  const server = await faulty(async (io) => {
    const head = await io.readRequest();
    for (const piece of cases[/^\w+ \/(\d+) /.exec(head)[1]].pieces) await io.send(piece);
    io.fin();
  });
  const transports = [openWire(LIMITS), openUndici(LIMITS)];
  const found = [];
  let next = 0;
  const work = async () => {
    for (let i = next++; i < cases.length; i = next++) {
      const request = requestTo(`${server.url}/${i}`, { method: cases[i].method });
      const [wire, undici] = await Promise.all(transports.map((transport) => once(transport, request)));
      if (isSame(wire, undici) || DIFFERENCES.some(({ holds }) => holds(cases[i], wire, undici))) continue;
      found.push({
        text: JSON.stringify(cases[i].text),
        method: cases[i].method,
        pieces: cases[i].pieces.map(({ length }) => length),
        wire,
        undici,
      });
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  await Promise.all(transports.map((transport) => transport.close()));
  await server.close();
  return found;
}

async function once(transport, request) {
  const connection = transport.connect(request.endpoint);
  const result = await exchange(connection, request);
  connection.close();
  return result;
}

function isSame(wire, undici) {
  return wire.code || undici.code
    ? Boolean(wire.code) === Boolean(undici.code)
    : JSON.stringify(wire) === JSON.stringify(undici);
}
