import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ADDRESS = 'https://jeffbski.github.io/bench-rest/';
/** The path of the site at its address. */
export const BASE = new URL(ADDRESS).pathname;

/**
 * Finds links that lead nowhere, requests to other sites, and pages that are empty without scripts, in a site that was
 * built. Nothing is requested.
 *
 * @type {(dist: string) => string[]} sentences
 */
export function problemsIn(dist) {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const pages = new Map(
    names.filter((name) => name.endsWith('.html')).map((name) => [name, readFileSync(join(dist, name), 'utf8')]),
  );
  const styles = names.filter((name) => name.endsWith('.css'));
  return [
    ...[...pages].flatMap(([name, html]) => linkProblems({ dist, name, html, pages })),
    ...[...pages].flatMap(([name, html]) => requests(html).map((url) => `${name}: requests ${url}`)),
    ...[...pages].filter(([, html]) => isEmpty(html)).map(([name]) => `${name}: is empty without scripts`),
    ...styles.flatMap((name) =>
      foreign(readFileSync(join(dist, name), 'utf8')).map((url) => `${name}: requests ${url}`),
    ),
  ];
}

function linkProblems({ dist, name, html, pages }) {
  const links = [...withoutScripts(html).matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => decoded(link));
  return [...new Set(links)].flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path, anchor] = link.split('#');
    const target = path === '' ? name : targetOf(name, path);
    const file = target?.endsWith('/') || target === '' ? `${target}index.html` : target;
    if (file === undefined || !existsSync(join(dist, file)) || statSync(join(dist, file)).isDirectory())
      return [`${name}: nothing is at ${link}`];
    if (!anchor || !pages.has(file) || pages.get(file).includes(` id="${anchor}"`)) return [];
    return [`${name}: ${link} has no such heading`];
  });
}

/** The path of a link in the site; undefined: outside of it. */
function targetOf(name, path) {
  if (!path.startsWith('/')) return relative('.', join(dirname(name), path)) + (path.endsWith('/') ? '/' : '');
  return path.startsWith(BASE) ? path.slice(BASE.length) : undefined;
}

/** What a browser loads by itself from other sites. */
function requests(html) {
  const loaded = [...withoutScripts(html).matchAll(/<(?:script|img|iframe|source|link)\b[^>]*>/g)].flatMap(([tag]) => {
    if (/\brel="(?:canonical|alternate)"/.test(tag)) return [];
    return [...tag.matchAll(/\s(?:href|src)="((?:https?:)?\/\/[^"]*)"/g)].map(([, url]) => url);
  });
  return [...loaded, ...foreign(html)];
}

/** @type {(css: string) => string[]} */
function foreign(css) {
  return [...css.matchAll(/(?:url\(|@import )["']?((?:https?:)?\/\/[^"')]+)/g)].map(([, url]) => url);
}

/** @type {(html: string) => boolean} */
function isEmpty(html) {
  return !/[^\s<>]/.test(withoutScripts(html.replace(/^[^]*<body[^>]*>/, '')).replace(/<[^>]*>/g, ''));
}

function withoutScripts(html) {
  return html.replace(/(<script\b[^>]*>)[^]*?<\/script>/g, '$1');
}

function decoded(link) {
  return decodeURI(link.replaceAll('&amp;', '&'));
}
