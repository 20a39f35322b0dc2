import { HeadMemo } from '../../lib/core/transport/wire/head-memo.js';
import { open as openUndici } from '../../lib/addons/undici/index.js';
import { open as openWire } from '../../lib/core/transport/wire/index.js';
import { faulty } from './faulty-server.js';
import { REQUEST, playWire, turn } from './played-wire.js';
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
    why: 'undici refuses folded fields',
    holds: ({ text }, _, undici) => undici.code && /\r\n[ \t]/.test(text),
  },
  {
    why: 'undici closes the connection after a 204 or 304 with a length',
    holds: ({ text }, wire) => /content-length/i.test(text) && (wire.status === 204 || wire.status === 304),
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

/** Knows every head from its second response on. */
class AllHeads extends HeadMemo {
  shouldKeep() {
    return true;
  }
}

/** Knows none: the parser reads all responses. */
class NoHeads extends HeadMemo {
  shouldKeep() {
    return false;
  }
}

const EXCHANGES = 12;

/**
 * Plays a few responses again and again, some of them changed, to a connection that knows their heads and to one whose
 * parser reads all of them.
 *
 * @returns {Promise<object | null>} the first exchange that differs
 */
export async function findKnownHeadDifference(random) {
  const { below, pick } = random;
  const responses = Array.from({ length: 3 }, () => (below(3) > 0 ? pick(VALID).say : mutant(random).text));
  const connections = [new AllHeads(), new NoHeads()].map(playExchanges);
  for (let i = 0; i < EXCHANGES; i++) {
    const text = below(2) === 0 ? pick(responses) : pick(VARIANTS)(pick(responses), random);
    const cuts = Array.from({ length: below(2) * below(4) }, () => below(text.length + 1)).sort((a, b) => a - b);
    const asked = {
      method: pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
      needs: pick(['status', 'status', 'head', 'body']),
      readsExcerpt: below(2) === 0,
      pieces: [0, ...cuts].map((at, piece) => text.slice(at, cuts[piece])).filter((piece) => piece !== ''),
      end: pick(['none', 'none', 'none', 'FIN', 'RST']),
    };
    const [known, parsed] = [await connections[0](asked), await connections[1](asked)];
    if (JSON.stringify(known) !== JSON.stringify(parsed)) return { text, asked, known, parsed };
  }
  return null;
}

/** What a server changes in a response that is known up to its body. */
const VARIANTS = [
  (text, { below }) => text.slice(0, below(text.length + 1)),
  (text, { pick }) => text + pick(['x', '\r\n', text, 'HTTP/1.1 200 OK\r\n\r\n']),
  (text, { pick }) => {
    const body = text.indexOf('\r\n\r\n') + 4;
    return text.slice(0, body) + text.slice(body).replace(/./gs, () => pick(['a', '0', '\r', '\n']));
  },
  (text, { below, pick }) => {
    const at = below(text.length);
    return splice(text, at, 1, String.fromCharCode((text.charCodeAt(at) || 0) ^ pick([1, 0x20, 0x80])));
  },
  (text) => `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${text}`,
];

/** The exchanges of one connection, one after the other; each returns all that can be seen of it. */
function playExchanges(memo) {
  let firstBytes = 0;
  let asked;
  let read;
  const { connect, totals, log } = playWire({ memo, timings: { ttfb: { update: () => firstBytes++ } } });
  const one = connect('it', {
    onResponse: (response) => (read = asked && readingOf(response, asked.needs)),
    readsExcerpt: () => asked.readsExcerpt,
  });
  one.receives();
  return async (exchange) => {
    await turn();
    asked = exchange;
    read = null;
    log.length = 0;
    one.send({ ...REQUEST, method: asked.method }, asked.needs);
    await turn();
    if (!one.isOpen()) one.opens();
    for (const piece of asked.pieces) one.receives(piece);
    const hasEnded = one.connection.hasArrived || log.some((entry) => entry.startsWith('it E_'));
    if (asked.end === 'RST') one.resets();
    else if (asked.end === 'FIN' || !hasEnded) one.ends();
    await turn();
    return {
      log: [...log],
      read,
      totals: { ...totals },
      firstBytes,
      bytes: one.connection.bytesIn,
      open: one.isOpen(),
    };
  };
}

function readingOf(response, needs) {
  const { statusCode, isPlain, bodyBytes, body, excerpt, setCookies } = response;
  return {
    ...{ statusCode, isPlain, bodyBytes, setCookies },
    ...{ body: body?.latin1Slice(), excerpt: excerpt?.latin1Slice(), location: response.headers.location },
    ...(needs !== 'status' && {
      headers: { ...response.headers },
      rawHeaders: response.rawHeaders,
      statusMessage: response.statusMessage,
      httpVersion: response.httpVersion,
      contentEncoding: response.contentEncoding,
    }),
  };
}
