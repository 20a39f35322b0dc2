import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { titleOf } from '../scripts/markdown.js';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));

/**
 * The sections of the site. `pages` come first and in this order; the other pages of `folder` follow by title, so a new
 * page needs no line here. A page is listed once, in the first section that names it.
 */
const SECTIONS = [
  {
    title: 'Start',
    pages: ['guide/getting-started', 'guide/url-mode', 'guide/flows', 'guide/thresholds-and-ci', 'numbers'],
  },
  {
    title: 'Guides',
    folder: 'guide',
    groups: [
      { title: 'Describe a user', pages: ['data', 'hooks', 'checks', 'scenarios'] },
      { title: 'Shape the load', pages: ['load-profiles', 'back-off', 'capacity', 'workers', 'many-machines'] },
      { title: 'Find the cause', pages: ['server-side', 'profiling', 'traces-and-metrics'] },
      { title: 'Compare', pages: ['comparing', 'history'] },
      { title: 'Other protocols', pages: ['http2', 'grpc', 'websocket', 'streams', 'graphql', 'any-client', 'addons'] },
      { title: 'Bring what you have', pages: ['importing', 'recording', 'migrating-from-1'] },
    ],
  },
  { title: 'Recipes', folder: 'recipes', ...orderIn('recipes') },
  { title: 'Coming from', folder: 'coming-from', ...orderIn('coming-from') },
  {
    title: 'Reference',
    folder: 'reference',
    pages: ['cli', 'run-options', 'operations', 'result', 'errors', 'exit-codes', 'configuration'],
  },
  { title: 'Internals', folder: 'internals', pages: ['architecture', 'measurement', 'transport', 'performance'] },
];

/**
 * The sidebar of the site, and the order of llms.txt: every page of docs/ but the first one.
 *
 * @typedef {{ text: string, page?: string, items?: Entry[] }} Entry page: its path in docs/, without `.md`
 * @type {(docs?: string) => Entry[]}
 */
export function sectionsOf(docs = DOCS) {
  const listed = new Set();
  const entryOf = (/** @type {string} */ page) => {
    listed.add(page);
    const title = titleOf(readFileSync(join(docs, `${page}.md`), 'utf8'));
    return { text: page.endsWith('/README') ? 'Overview' : shortened(title), page };
  };
  const ordered = (/** @type {string[]} */ pages, folder = '') =>
    pages.map((page) => (folder ? `${folder}/${page}` : page)).map(entryOf);
  return SECTIONS.map(({ title, folder, pages = [], groups = [] }) => {
    const first = ordered(pages, folder);
    const grouped = groups.map((group) => ({ text: group.title, items: ordered(group.pages, folder) }));
    const others = folder ? pagesIn(docs, folder).filter((page) => !listed.has(page)) : [];
    const rest = others.map(entryOf).sort((a, b) => a.text.localeCompare(b.text, 'en'));
    return { text: title, items: [...first, ...grouped, ...rest] };
  }).filter(({ items }) => items.length > 0);
}

/** The entries of pages, without those that only group them. @type {(entries: Entry[]) => Entry[]} */
export function pagesOf(entries) {
  return entries.flatMap((entry) => (entry.items ? pagesOf(entry.items) : [entry]));
}

/** The README of a folder has the order of its pages, below headings that group them. */
function orderIn(folder) {
  const text = readFileSync(join(DOCS, folder, 'README.md'), 'utf8');
  const [before, ...parts] = text.split(/^## /m);
  const pagesOfPart = (/** @type {string} */ part) =>
    Array.from(part.matchAll(/^- \[.*\]\(([\w-]+)\.md\)/gm), ([, page]) => page);
  const groups = parts.map((part) => ({ title: part.split('\n')[0], pages: pagesOfPart(part) }));
  return { pages: ['README', ...pagesOfPart(before)], groups: groups.filter(({ pages }) => pages.length > 0) };
}

/** "How do I upload files?" is "Upload files" in a list of such questions. @type {(title: string) => string} */
function shortened(title) {
  const task = /^How do I (.*)\?$/.exec(title)?.[1];
  return task ? task.charAt(0).toUpperCase() + task.slice(1) : title;
}

/** @type {(docs: string, folder: string) => string[]} */
function pagesIn(docs, folder) {
  const names = readdirSync(join(docs, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name.slice(0, -3)}`);
}
