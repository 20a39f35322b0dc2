import { expect } from 'chai';

import { render as renderMarkdown } from '../../../../lib/addons/formats/markdown.js';
import { modelOf } from '../../../../lib/addons/page/model.js';
import { http2CodeRows, http2Lines } from '../../../../lib/addons/http2/report/http2.js';
import { escaped } from '../../../../lib/addons/formats/markup.js';
import { render as renderText } from '../../../../lib/core/report/text/index.js';
import { literalResult } from '../../../support/literal-result.js';

const http2 = {
  ...{ connections: 2, fallbacks: 1, requests: 4000, inFlight: 4000, concurrency: 1, resets: 3, goAways: 1 },
  ...{ violations: 1, waits: 2, waitTime: 5 },
  codes: [
    { event: 'reset', code: 'CANCEL', count: 1 },
    { event: 'reset', code: 'INTERNAL_ERROR', count: 2 },
    { event: 'goAway', code: 'NO_ERROR', count: 1, message: 'NO_ERROR, "a | b"' },
    { event: 'violation', code: 'PROTOCOL_ERROR', count: 1, message: 'the server broke HTTP/2' },
  ],
};
const PARTS = [
  '2 connections, 2,000 requests on each',
  '1 at once',
  '3 streams reset by the server (CANCEL: 1, INTERNAL_ERROR: 2)',
  '1 connection ended by the server with GOAWAY (NO_ERROR: 1)',
  '1 connection ended because the server broke HTTP/2 (PROTOCOL_ERROR: 1)',
  '2 requests waited for a stream, 2.50 ms on average',
];

describe('HTTP/2 in reports', () => {
  it('connections, streams and the codes of their ends are described by version of HTTP', () => {
    expect(http2Lines({ http2 })).to.deep.equal([
      { name: 'HTTP/2', parts: PARTS },
      { name: 'HTTP/1.1', parts: ['1 connection to servers without HTTP/2'] },
    ]);
    expect(http2Lines({})).to.deep.equal([]);
  });

  it('the codes are rows of a table, the most frequent first', () => {
    const rows = http2CodeRows({ http2 }).map((row) => Object.values(row).join(' | '));
    expect(rows[0]).to.equal('stream reset | INTERNAL_ERROR | 2 | ');
    expect(rows).to.have.lengthOf(4);
    expect(http2CodeRows({ http2: { ...http2, codes: undefined } })).to.deep.equal([]);
  });

  it('text, Markdown and the page have them', () => {
    const result = { ...literalResult(), http2 };
    const text = renderText(result).replace(/\s+/g, ' ');
    expect(text).to.include(`HTTP/2 ${PARTS.slice(0, -1).join(', ')}`);
    const markdown = renderMarkdown(result);
    expect(markdown).to.include(`\nHTTP/2: ${escaped(PARTS.join(', '))}\n`);
    expect(markdown).to.include(`| GOAWAY | ${['NO_ERROR', '1', 'NO_ERROR, "a | b"'].map(escaped).join(' | ')} |`);
    const blocksOf = (one) => modelOf(one, () => []).sections.find(({ name }) => name === 'http2').blocks;
    const [{ lines, rows }] = blocksOf(result);
    expect(lines[0].text).to.equal(PARTS.join(', '));
    expect(rows).to.deep.equal(http2CodeRows({ http2 }).map((row) => Object.values(row)));
    expect(blocksOf(literalResult())).to.deep.equal([]);
  });
});
