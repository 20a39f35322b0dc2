import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { embeddedJson, readAssets, section, shellOf } from '../../../lib/addons/page/shell.js';

const ENTRY = 'client/scales.js';
const shell = (changes = {}) =>
  shellOf({ title: 'mine', body: section('Errors', 'errors'), data: '{}', assets: readAssets(ENTRY), ...changes });

describe('the shell of a page', () => {
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

  it('modules of a page that declare one name are refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-page-'));
    const entry = pathToFileURL(join(folder, 'entry.js')).href;
    const write = (text) => writeFileSync(join(folder, 'entry.js'), `import { a } from './a.js';\n${text}\n`);
    try {
      writeFileSync(
        join(folder, 'a.js'),
        'export const a = 1;\nconst [LEFT, RIGHT = 2, { rest = [], last } = {}] = [1];\nfunction own() {}\n',
      );
      for (const [text, name] of [
        ['const a = 2;', 'a'],
        ['const { x, y: RIGHT } = {};', 'RIGHT'],
        ['let [LEFT] = [3];', 'LEFT'],
        ['const last = 1;', 'last'],
        ['export async function own() {}', 'own'],
        ['class own {}', 'own'],
      ]) {
        write(text);
        expect(() => readAssets(entry), text).to.throw(`entry.js: ${name} is declared in `);
      }
      write('const { y: { x = a } = {}, a: z = 2 } = {};\nconst other = () => {\n  const a = 1;\n};\nlet b = a;');
      expect(readAssets(entry).scripts).to.have.lengthOf(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('data cannot end their script element, and have no secrets', () => {
    const json = embeddedJson({ text: '</script><!--', url: 'http://me:CANARY@host/' });
    expect(json).not.to.match(/[<>]|CANARY/);
    expect(JSON.parse(json).text).to.equal('</script><!--');
  });
});
