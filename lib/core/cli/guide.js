import { readFileSync, readdirSync } from 'node:fs';

import { docUrl } from '../ground/package.js';

/** @import { Help } from 'commander' */

// The guide in the terminal: its pages, and what they have about a word.

const GUIDE = new URL('../../../docs/guide/', import.meta.url);

/** The names of the pages. @type {() => string[]} */
export function guideTopics() {
  return readdirSync(GUIDE).map((file) => file.replace(/\.md$/, ''));
}

/** @type {(topic: string) => string} */
const markdownOf = (topic) => readFileSync(new URL(`${topic}.md`, GUIDE), 'utf8');

/**
 * The commands that print the pages with a text, those with most of it first, a line each.
 * @type {(text: RegExp) => string}
 */
export function pagesWith(text) {
  const pages = guideTopics().map((topic) => ({ topic, count: markdownOf(topic).match(text)?.length ?? 0 }));
  const found = pages.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
  return found
    .slice(0, MOST)
    .map(({ topic }) => `bench-rest help ${topic}\n`)
    .join('');
}

/** Pages that are listed. */
const MOST = 5;

/**
 * @typedef {object} GuideSection
 * @property {string} topic its page
 * @property {string} title
 * @property {string} name of its title, as it is typed: `tls`, `own-metrics`
 * @property {string} markdown
 */

/** The sections of all pages. @type {() => GuideSection[]} */
function allSections() {
  return guideTopics().flatMap((topic) => {
    const [, ...sections] = markdownOf(topic).split(/^(?=##+ )/m);
    return sections.map((markdown) => {
      const title = titleOf(markdown);
      return { topic, title, name: nameOf(title), markdown };
    });
  });
}

/** @type {(section: string) => string} */
const titleOf = (section) => withoutMarks(section.slice(0, section.indexOf('\n'))).replaceAll('`', '');

/** A title as one word, without a plural. @type {(title: string) => string} */
function nameOf(title) {
  const words = title.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return words.map((word) => word.replace(/(?<=\w\w)s$/, '')).join('-');
}

/** What the sections are called, to suggest one. @type {() => string[]} */
export function sectionNames() {
  return [...new Set(allSections().map(({ title }) => title.toLowerCase()))].filter((title) => !title.includes(' '));
}

/**
 * The page or the section of this name; else the titles, or the pages, that have the word. Undefined: there is none.
 * @type {(word: string, help: Help) => string | undefined}
 */
export function sectionsOn(word, help) {
  const name = nameOf(word);
  if (name === '') return undefined;
  const isPart = (/** @type {string} */ title) => `-${title}-`.includes(`-${name}-`);
  const topics = guideTopics().filter((topic) => isPart(nameOf(topic)));
  if (topics.length === 1) return guidePage(topics[0], help);
  const sections = allSections();
  const titled = sections.filter((section) => section.name === name);
  const found = titled.length > 0 ? titled : sections.filter((section) => isPart(section.name));
  if (topics.length === 0 && found.length === 1) return sectionText(found[0], help);
  const rows = found.map(({ topic, title }) => `bench-rest help ${topic.padEnd(COLUMN)}${title}\n`);
  const commands = topics.map((topic) => `bench-rest help ${topic}\n`);
  const list =
    [...commands, ...rows].join('') || pagesWith(new RegExp(`(?<![\\w-])${name.replaceAll('-', '[ -]')}`, 'gi'));
  return list === '' ? undefined : `The guide has it in:\n${list}`;
}

/** The beginning of a section, as text. @type {(section: GuideSection, help: Help) => string} */
function sectionText({ topic, title, markdown }, help) {
  const lines = plainText(markdown, help).trimEnd().split('\n');
  const end = lines.length > PAGE ? lines.lastIndexOf('', PAGE) : lines.length;
  const anchor = title
    .toLowerCase()
    .replace(/[^\p{L}\d -]/gu, '')
    .replaceAll(' ', '-');
  return `${lines.slice(0, end).join('\n')}\n\nMore: bench-rest help ${topic}\n${docUrl(`guide/${topic}.md#${anchor}`)}\n`;
}

/** Most lines of a page in the terminal. */
const PAGE = 40;

/** The beginning of a page of the guide, as text. @type {(topic: string, help: Help) => string} */
export function guidePage(topic, help) {
  const [first, ...sections] = markdownOf(topic).split(/^(?=## )/m);
  let page = first;
  const rest = [...sections];
  while (rest.length > 0 && `${page}${rest[0]}`.split('\n').length <= PAGE) page += rest.shift();
  const titles = rest.map((section) => `'${titleOf(section)}'`);
  const more = titles.length > 0 ? `More, by bench-rest help and a title: ${titles.join(', ')}\n` : '';
  return `${plainText(page, help)}\n${help.boxWrap(more, help.helpWidth ?? 80)}${docUrl(`guide/${topic}.md`)}\n`;
}

/** Markdown without its marks: code is indented, rows are items. @type {(markdown: string, help: Help) => string} */
function plainText(markdown, help) {
  const text = markdown
    .replace(/<!--.*?-->\n?/gs, '')
    .replace(/^```.*\n([^]*?)^```\n/gm, (_, code) => code.replace(/^(?=.)/gm, '  '))
    .replace(/(?:^\|.*\n)+/gm, (table) => itemsOfTable(table, help))
    .replace(/^(?! ).*$/gm, (line) => help.boxWrap(withoutMarks(line), help.helpWidth ?? 80));
  return `${text.replace(/\n{3,}/g, '\n\n').trimEnd()}\n`;
}

/** @type {(line: string) => string} */
const withoutMarks = (line) => line.replace(/^#+ |\*\*/g, '').replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');

/** Widest first column of a table. */
const COLUMN = 24;

/** @type {(table: string, help: Help) => string} */
function itemsOfTable(table, help) {
  const [, , ...lines] = table.trimEnd().split('\n');
  const rows = lines.map((line) => line.split(/(?<!\\)\|/).map((cell) => withoutMarks(cell.trim())));
  const column = Math.min(COLUMN, Math.max(...rows.map(([, term]) => term.length)));
  return rows
    .map(([, term, ...cells]) => `${help.formatItem(term, column, cells.filter(Boolean).join('; '), help)}\n`)
    .join('');
}
