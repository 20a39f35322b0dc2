import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { embeddedJson, readAssets, section, shellOf } from '../../../../lib/report/html/shell.js';

const ENTRY = 'client/scales.js';
const shell = (changes = {}) =>
  shellOf({ title: 'mine', body: section('Errors', 'errors'), data: '{}', assets: readAssets(ENTRY), ...changes });

describe('report/html/shell', () => {
  it('the policy allows its own scripts and styles alone', () => {
    const html = shell({ assets: readAssets(ENTRY, { hasPlots: true }) });
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(html);
    const own = [...html.matchAll(/<(style|script)>([^]*?)<\/\1>/g)];
    expect(own).to.have.lengthOf(4);
    for (const [, , text] of own)
      expect(policy).to.include(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(policy)
      .to.match(/^default-src 'none';/)
      .and.not.include('connect-src');
    expect(shell({ isLive: true })).to.include("connect-src 'self'");
  });

  it('a page without charts of uPlot does not contain it', () => {
    expect(shell().match(/<script>/g)).to.have.lengthOf(1);
    expect(shell()).not.to.include('uPlot');
  });

  it('data cannot end their script element, and have no secrets', () => {
    const json = embeddedJson({ text: '</script><!--', url: 'http://me:CANARY@host/' });
    expect(json).not.to.match(/[<>]|CANARY/);
    expect(JSON.parse(json).text).to.equal('</script><!--');
  });
});
