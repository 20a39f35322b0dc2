import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ADDRESS, BASE } from './check.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPOSITORY = 'https://github.com/jeffbski/bench-rest';

/** A page leads to files of the repository that are no pages: the site links to them on GitHub. */
export function linkPlugin(md) {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const { children } of tokens)
      for (const token of children ?? []) if (token.type === 'link_open') mend(token, env.relativePath);
  });
}

/** The same links in the Markdown beside a page. @type {(text: string, page: string) => string} */
export function withRepositoryLinks(text, page) {
  return text.replace(/(\]\()([^)\s]+)\)/g, (_, open, href) => `${open}${outside(href, page) ?? href})`);
}

function mend(token, page) {
  // the site makes some pages itself, which the repository does not have
  const href = token.attrGet('href').replace(ADDRESS, BASE);
  token.attrSet('href', href);
  const address = outside(href, page);
  if (address) token.attrSet('href', address);
  // a file beside the pages, which the router must leave to the browser
  else if (/^[^:#]+\.(html|json|svg)$/.test(href)) token.attrSet('target', '_self');
}

/** The address on GitHub of a file that is not in docs/. @type {(href: string, page: string) => string | undefined} */
function outside(href, page) {
  if (/^([a-z]+:|#|\/)/.test(href)) return undefined;
  const [path, anchor] = href.split('#');
  const file = relative(ROOT, join(ROOT, 'docs', dirname(page), path));
  if (file.startsWith('docs/')) return undefined;
  const kind = statSync(join(ROOT, file)).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY}/${kind}/main/${file}${anchor ? `#${anchor}` : ''}`;
}
