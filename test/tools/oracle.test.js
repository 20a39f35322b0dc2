import { spawn, spawnSync } from 'node:child_process';

import { expect } from 'chai';

import { faulty } from '../support/faulty-server.js';
import { RESPONSES } from '../support/responses.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Responses that we read and curl reads differently or refuses, with the reason. */
const OTHERWISE = {
  'an unknown minor version as 1.1': ['curl accepts 1.0 and 1.1; RFC 9110 2.5 accepts any minor version', { exit: 1 }],
  'another coding, then chunked': [
    'curl decodes transfer codings; RFC 9112 7.2 only allows a server to send them on request',
    { exit: 61 },
  ],
  'chunked, then another coding: to the end of the connection': ['as above', { exit: 56 }],
  'an unknown coding: to the end of the connection': ['as above', { exit: 61 }],
  ...Object.fromEntries(
    [1, 3].map((count) => [
      `an interim response followed by ${count} more empty lines than allowed`,
      ['curl reads the empty line as an HTTP/0.9 response', { exit: 1 }],
    ]),
  ),
  'a field with a folded length beside it': ['curl refuses a folded length', { exit: 8 }],
  'a folded trailer': ['curl prints trailers after the body', { status: 200, body: 'oka: b\r\n c\r\n' }],
  trailers: ['curl prints trailers after the body', { status: 200, body: 'okx: y\r\nContent-Length: 5\r\n' }],
};

/** Errors of ours that curl (7.88) accepts, with the reason why we are stricter. */
const LAXER = {
  E_STATUS_LINE: 'a malformed status line may be the middle of a body',
  E_FIELD: 'a line that is not a field (RFC 9112 5) may hide one that frames the body',
  E_HEADERS_TOO_LARGE: 'the limit of curl is 300 KB',
  E_TOO_MANY_FIELDS: 'curl has no such limit',
  E_1XX_FLOOD: 'curl has no such limit',
  E_CONTENT_LENGTH: 'curl reads the leading number, or the last of several',
  E_FRAMING: 'RFC 9112 6.3 lets a client prefer chunks to a length; an intermediary may have used the length',
  E_CHUNK: 'curl reads anything after a size as an extension',
};

/**
 * A third parser for every response: those of undici and Node both use llhttp. Not `--raw`: it prints chunks undecoded,
 * so it would check nothing.
 */
(hasCurl ? describe : describe.skip)('curl reads the same responses', () => {
  for (const row of RESPONSES) {
    const { id, what, code, status, body = 'ok' } = row;
    it(`${id ? `${id} ` : ''}${what}`, async () => {
      const theirs = await curl(row);
      if (code) {
        // our code if curl reads a response that we refuse
        const reading = theirs.exit === undefined ? code : 'refused';
        expect(['refused', ...Object.keys(LAXER)], JSON.stringify(theirs)).to.include(reading);
        return;
      }
      const [, other] = OTHERWISE[what] ?? [];
      expect(other ? [other, { status, body }] : [{ status, body }]).to.deep.include(theirs);
    });
  }
});

/** `{ status, body }`, or `{ exit }` if curl refuses. */
async function curl({ say, closes, method, code }) {
  const server = await faulty(async (io) => {
    await io.readRequest();
    await io.send(Buffer.from(say, 'latin1'));
    // what we refuse may leave curl waiting for more
    if (closes || code) io.fin();
  });
  try {
    const child = spawn(
      'curl',
      ['--http1.1', '--silent', '--include', '--max-time', '60', ...(method === 'HEAD' ? ['--head'] : []), server.url],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    let said = '';
    child.stdout.setEncoding('latin1').on('data', (text) => (said += text));
    const exit = await new Promise((resolve) => child.on('close', resolve));
    return exit === 0 ? lastOf(said) : { exit };
  } finally {
    await server.close();
  }
}

/** The last of the printed responses. */
function lastOf(said) {
  for (let at = 0; ;) {
    const end = /\r?\n\r?\n/g;
    end.lastIndex = at;
    const match = end.exec(said);
    if (!match) return { exit: 'the head has no end' };
    const status = Number(/^HTTP\/[\d.]+ (\d+)/.exec(said.slice(at, match.index))?.[1]);
    at = end.lastIndex;
    if (!(status >= 100 && status < 200)) return { status, body: said.slice(at) };
  }
}
