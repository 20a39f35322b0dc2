import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { summaryOf, titleOf } from '../scripts/markdown.js';
import { withRepositoryLinks } from './links.js';
import { pagesOf, sectionsOf } from './sidebar.js';

/**
 * Writes the Markdown of each page beside it, the files that pages link to, and llms.txt, which lists the pages for
 * language models.
 *
 * @type {(site: { srcDir: string, outDir: string, pages: string[], address: string }) => void}
 */
export function writeMarkdown({ srcDir, outDir, pages, address }) {
  for (const page of pages) {
    mkdirSync(dirname(join(outDir, page)), { recursive: true });
    writeFileSync(join(outDir, page), withRepositoryLinks(readFileSync(join(srcDir, page), 'utf8'), page));
  }
  const names = readdirSync(srcDir, { recursive: true, withFileTypes: true });
  for (const one of names.filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))) {
    const file = join(one.parentPath, one.name);
    cpSync(file, join(outDir, file.slice(srcDir.length)));
  }
  writeFileSync(join(outDir, 'llms.txt'), llmsText({ srcDir, address }));
}

/** As https://llmstxt.org describes it. @type {(site: { srcDir: string, address: string }) => string} */
function llmsText({ srcDir, address }) {
  const textOf = (/** @type {string} */ page) => readFileSync(join(srcDir, `${page}.md`), 'utf8');
  const sections = sectionsOf(srcDir).map(({ text, items }) => {
    const lines = pagesOf(items).map(
      ({ text: title, page }) => `- [${title}](${address}${page}.md): ${summaryOf(textOf(page))}\n`,
    );
    return `## ${text}\n\n${lines.join('')}`;
  });
  const index = textOf('index');
  return `# bench-rest\n\n> ${titleOf(index)} ${summaryOf(index)}\n\n${sections.join('\n')}`;
}
