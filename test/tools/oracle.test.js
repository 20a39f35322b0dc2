import { spawn, spawnSync } from 'node:child_process';

import { expect } from 'chai';

import { faulty } from '../support/faulty-server.js';
import { RESPONSES } from '../support/responses.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Where curl reads another thing of what we read, or nothing, and why. */
const OTHERWISE = {
  'a minor version we do not know is read as 1.1': ['it knows 1.0 and 1.1; RFC 9110 2.5 asks to go on', { exit: 1 }],
  'another coding, then chunked': [
    'it undoes the codings of a transfer, which RFC 9112 7.2 lets nobody send who was not asked to',
    { exit: 61 },
  ],
  'chunked, then another coding: to the end of the connection': ['as above', { exit: 56 }],
  'an unknown coding: to the end of the connection': ['as above', { exit: 61 }],
  ...Object.fromEntries(
    [1, 3].map((count) => [
      `an interim response with ${count} more empty lines than it should have`,
      ['it takes the empty line for a response of HTTP/0.9', { exit: 1 }],
    ]),
  ),
  trailers: ['it prints them behind the body', { status: 200, body: 'okx: y\r\nContent-Length: 5\r\n' }],
};

/** What curl (7.88) reads although we refuse it: it is the laxer of the two, and why we are not. */
const LAXER = {
  E_STATUS_LINE: 'a line that is not quite a status line may be the middle of a body',
  E_FIELD: 'what is no field by RFC 9112 5 may hide one that frames the body',
  E_HEAD_TOO_LARGE: 'its limit is 300 KB',
  E_TOO_MANY_FIELDS: 'it has no such limit',
  E_1XX_FLOOD: 'it has no such limit',
  E_CONTENT_LENGTH: 'it takes the number at the beginning, or the last of several',
  E_FRAMING:
    'RFC 9112 6.3 lets a client read chunks where there is a length as well; what stood between may have read the length',
  E_CHUNK: 'it takes what follows a size for an extension, whatever it is',
};

/**
 * A third reader of every response: undici's parser and Node's share llhttp's opinions. Not `--raw`: it hands chunks
 * on as they came, and so says nothing of them.
 */
(hasCurl ? describe : describe.skip)('what curl makes of the responses', () => {
  for (const row of RESPONSES) {
    const { id, what, code, status, body = 'ok' } = row;
    it(`${id ? `${id} ` : ''}${what}`, async () => {
      const theirs = await curl(row);
      if (code) {
        // our code where it reads what we refuse
        const reading = theirs.exit === undefined ? code : 'refused';
        expect(['refused', ...Object.keys(LAXER)], JSON.stringify(theirs)).to.include(reading);
        return;
      }
      const [, other] = OTHERWISE[what] ?? [];
      expect(other ? [other, { status, body }] : [{ status, body }]).to.deep.include(theirs);
    });
  }
});

/** `{ status, body }`, or `{ exit }` where it refuses. */
async function curl({ say, closes, method }) {
  const server = await faulty(async (io) => {
    await io.readRequest();
    await io.send(Buffer.from(say, 'latin1'));
    if (closes) io.fin();
  });
  try {
    const child = spawn(
      'curl',
      ['--http1.1', '--silent', '--include', '--max-time', '2', ...(method === 'HEAD' ? ['--head'] : []), server.url],
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

/** The final response of those that it printed. */
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
