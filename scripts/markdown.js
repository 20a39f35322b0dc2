import { posix } from 'node:path';

import { REPOSITORY } from '../lib/core/ground/package.js';

/** Questions about Markdown pages, for the tests, the site and the package. */

const FENCES = /^( *)(`{3,}|~{3,}).*\n[^]*?^\1\2 *$/gm;
const COMMENTS = /<!--[^]*?-->/g;

/** The first heading. @type {(text: string) => string} */
export function titleOf(text) {
  const [first] = headingsOf(text);
  return plain(first ?? '');
}

/** The first sentence of the first paragraph, without its markup. @type {(text: string) => string} */
export function summaryOf(text) {
  const paragraphs = prose(text).split(/\n{2,}/);
  const first = paragraphs.find((one) => /^[\p{L}`_[]/u.test(one.trim())) ?? '';
  const [sentence] = /^.*?[.?!:](?= |$)/.exec(plain(first.replace(/\s+/g, ' ').trim())) ?? [plain(first)];
  return sentence.replace(/:$/, '.');
}

/** The anchors of all headings, as GitHub makes them. @type {(text: string) => string[]} */
export function anchorsOf(text) {
  const seen = new Map();
  return headingsOf(text).map((heading) => {
    const slug = slugOf(plain(heading));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/** The anchor of a heading, as GitHub makes it. @type {(title: string) => string} */
export function slugOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** The targets of all links and images outside code. @type {(text: string) => string[]} */
export function linksOf(text) {
  const outside = prose(text).replace(/(`+)(?:(?!\n\n)[^])*?[^`]\1(?!`)/g, '');
  const inline = [...outside.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)];
  const references = [...outside.matchAll(/^ *\[[^\]]+\]: *(\S+)/gm)];
  const elements = [...outside.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g)];
  return [...inline, ...references, ...elements].map(([, target]) => target);
}

/**
 * The text of a page with the addresses of the files of a version in place of relative links, which lead nowhere where
 * the page is read without the repository. `isThere` has the paths, from the root, that are beside it.
 * @type {(text: string, page: { path: string, version: string, isThere?: (path: string) => boolean }) => string}
 */
export function withAddresses(text, { path, version, isThere = () => false }) {
  return text.replace(
    /(!?)\[([^[\]]*)\]\((?![a-z]+:)([^)#\s]*)(#[^)\s]*)?\)/g,
    (whole, image, title, target, hash = '') => {
      const to = target === '' ? path : posix.join(posix.dirname(path), target);
      if (isThere(to)) return whole;
      return `${image}[${title}](${REPOSITORY}/${image ? 'raw' : 'blob'}/v${version}/${to}${hash})`;
    },
  );
}

/** @type {(text: string) => string[]} */
function headingsOf(text) {
  return [...prose(text).matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)].map(([, heading]) => heading);
}

/** Without front matter, fenced code and comments. @type {(text: string) => string} */
function prose(text) {
  return text
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(FENCES, '')
    .replace(COMMENTS, '');
}

/** The text of inline markup. @type {(text: string) => string} */
function plain(text) {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(^|\W)(\*\*|\*|_)(?=\S)(.+?)\2(?=\W|$)/g, '$1$3')
    .replaceAll('`', '');
}
