import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

import { expect } from 'chai';

import { anchorsOf, linksOf, slugOf, summaryOf, titleOf } from '../scripts/markdown.js';
import { problemsIn } from '../site/check.js';
import { withRepositoryLinks } from '../site/links.js';
import { pagesOf, sectionsOf } from '../site/sidebar.js';
import { ROOT } from './support/command.js';
import { documentsIn, textOf } from './support/documents.js';

const PAGES = documentsIn();
/** Every page of the repository that GitHub or the site shows. */
const DOCUMENTS = [
  ...PAGES,
  ...['.', '.github', 'bench'].flatMap((folder) => documentsIn(folder, { recursive: false })),
  ...documentsIn('deploy'),
];

describe('the Markdown of the repository', () => {
  it('links to files and headings that exist', () => {
    const anchors = new Map();
    const anchorsAt = (path) => {
      if (!anchors.has(path)) anchors.set(path, anchorsOf(textOf(path)));
      return anchors.get(path);
    };
    const broken = DOCUMENTS.flatMap((path) =>
      linksOf(textOf(path))
        .filter((link) => {
          if (/^[a-z]+:/.test(link)) return false;
          const [name, anchor] = link.split('#');
          const target = name === '' ? path : normalize(join(dirname(path), name));
          if (!existsSync(join(ROOT, target))) return true;
          return anchor && target.endsWith('.md') && !anchorsAt(target).includes(anchor);
        })
        .map((link) => `${path}: ${link}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it('gives each page of the site a title and a summary', () => {
    for (const page of PAGES) {
      expect(titleOf(textOf(page)), page).to.match(/\S/);
      expect(summaryOf(textOf(page)), page).to.match(/[.?!]$/);
    }
  });

  it('names the columns of its tables', () => {
    const unnamed = DOCUMENTS.flatMap((path) =>
      [...textOf(path).matchAll(/^(\|.*\|)\n\| *:?-/gm)]
        .filter(([, head]) => /\| *\|/.test(head))
        .map(([, head]) => `${path}: ${head.replace(/ +/g, ' ')}`),
    );
    expect(unnamed).to.deep.equal([]);
  });

  it('has anchors as GitHub makes them', () => {
    const text =
      '# What `a_b` is\n\n```sh\n# no heading\n```\n\n## Über _all_: 1 % of [them](x.md)\n\n## Same\n\n## Same\n';
    expect(anchorsOf(text)).to.deep.equal(['what-a_b-is', 'über-all-1--of-them', 'same', 'same-1']);
    expect(slugOf('Who, me?')).to.equal('who-me');
  });

  it('has links in text, in images, in references and in elements, none in code', () => {
    const text = '[a](a.md) ![b](b.png "b") `[c](c.md)`\n\n[d]: d.md\n\n<img src="e.png">\n\n```text\n[f](f.md)\n```\n';
    expect(linksOf(text)).to.deep.equal(['a.md', 'b.png', 'd.md', 'e.png']);
  });
});

describe('the site', () => {
  it('lists every page of docs/ once in its sidebar', () => {
    const listed = pagesOf(sectionsOf()).map(({ page }) => `docs/${page}.md`);
    expect(listed.toSorted()).to.deep.equal(PAGES.filter((page) => page !== 'docs/index.md').toSorted());
  });

  it('leads to files outside of docs/ on GitHub', () => {
    const text = '[a](../../LICENSE) [b](../../examples) [c](flows.md#files) [d](https://example.com) [e](#e)';
    expect(withRepositoryLinks(text, 'guide/x.md')).to.equal(
      '[a](https://github.com/jeffbski/bench-rest/blob/main/LICENSE) [b](https://github.com/jeffbski/bench-rest/tree/main/examples) [c](flows.md#files) [d](https://example.com) [e](#e)',
    );
  });

  it('lays out tables late only until the first move: a link must end at its heading', () => {
    const rules = textOf('site/.vitepress/theme/style.css').split('}');
    const late = rules.filter((rule) => rule.includes('content-visibility: auto'));
    for (const rule of late) expect(rule).to.match(/\n\.unmoved /);
    for (const file of ['config.js', 'theme/index.js'])
      expect(textOf(`site/.vitepress/${file}`)).to.match(/classList\.(add|remove)\('unmoved'\)/);
  });

  it('keeps headings below its fixed bar without scripts, too', () =>
    expect(textOf('site/.vitepress/theme/without-script.css')).to.match(/scroll-padding-top: \d+px/));

  it('prints whole tables, in the colors of light pages', () => {
    const [, print] = textOf('site/.vitepress/theme/style.css').split('@media print');
    expect(print).to.match(/\.vp-doc table \{\s+display: table;/);
    const config = textOf('site/.vitepress/config.js');
    for (const [before] of config.matchAll(/.*\$\{properties\(PALETTE\.dark\)/g))
      expect(before).to.match(/@media screen/);
  });

  it('is refused with links that lead nowhere, requests to other sites, and pages that are empty without scripts', () => {
    const dist = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      writeFileSync(
        join(dist, 'index.html'),
        `<a href="/bench-rest/">a</a><a href="other.html#here">b</a><a href="https://example.com">c</a>
        <a href="gone.html">d</a><a href="other.html#gone">e</a><a href="/elsewhere">f</a><img src="//example.com/i.png">`,
      );
      writeFileSync(join(dist, 'other.html'), '<h2 id="here">Here</h2>');
      writeFileSync(
        join(dist, 'empty.html'),
        '<title>No</title><body><div id="app"></div><script>run()</script></body>',
      );
      writeFileSync(join(dist, 'style.css'), '@font-face{src:url(https://fonts.example.com/a.woff2)}');
      expect(problemsIn(dist)).to.deep.equal([
        'index.html: nothing is at gone.html',
        'index.html: other.html#gone has no such heading',
        'index.html: nothing is at /elsewhere',
        'index.html: nothing is at //example.com/i.png',
        'index.html: requests //example.com/i.png',
        'empty.html: is empty without scripts',
        'style.css: requests https://fonts.example.com/a.woff2',
      ]);
    } finally {
      rmSync(dist, { recursive: true });
    }
  });
});
