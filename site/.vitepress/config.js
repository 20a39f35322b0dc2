import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitepress';

import { PALETTE } from '../../lib/addons/palette/index.js';
import { slugOf, summaryOf } from '../../scripts/markdown.js';
import { ADDRESS, BASE } from '../check.js';
import { linkPlugin } from '../links.js';
import { writeMarkdown } from '../markdown-pages.js';
import { codePlugin, imagePlugin, landingPlugin, textPlugin } from '../markdown-plugins.js';
import { sectionsOf } from '../sidebar.js';

const TITLE = 'bench-rest';
/** @type {import('vitepress').DefaultTheme.Config['notFound']} */
const MISSING = {
  title: 'There is no such page',
  quote: 'It may have moved: the search finds pages by their words.',
  linkText: 'To the first page',
  linkLabel: 'To the first page',
};

/** Short words are not the beginning, nor a misspelling, of others. @type {import('minisearch').SearchOptions} */
const SEARCH = {
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  combineWith: 'AND',
};

/** Marks a page that begins at its top: its late tables can wait (theme/style.css). */
const UNMOVED =
  "location.hash||performance.getEntriesByType('navigation')[0]?.type!=='navigate'||document.documentElement.classList.add('unmoved')";

export default defineConfig({
  lang: 'en',
  title: TITLE,
  titleTemplate: ':title · bench-rest',
  base: BASE,
  srcDir: '../docs',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  // site/check.js checks the links of what was built, with their anchors
  ignoreDeadLinks: true,
  sitemap: { hostname: ADDRESS },
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}icon.svg` }],
    ['meta', { name: 'theme-color', media: '(prefers-color-scheme: light)', content: PALETTE.light.ground }],
    ['meta', { name: 'theme-color', media: '(prefers-color-scheme: dark)', content: PALETTE.dark.ground }],
    ['style', {}, `:root{${properties(PALETTE.light)}}@media screen{.dark{${properties(PALETTE.dark)}}}`],
    ['noscript', {}, `<style>${withoutScript()}</style>`],
    ['script', {}, UNMOVED],
  ],
  vite: { resolve: { alias: [{ find: /^.*\/VPSidebarGroup\.vue$/, replacement: pathOf('theme/sidebar-groups.js') }] } },
  markdown: {
    anchor: { slugify: slugOf },
    // those whose comments and keywords have a contrast of at least 4.5
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { mjs: 'js' },
    attrs: { disable: true },
    emoji: { enabled: [] },
    config: (md) => md.use(textPlugin).use(codePlugin).use(linkPlugin).use(imagePlugin).use(landingPlugin),
  },
  transformPageData(page, { siteConfig }) {
    const text = readFileSync(`${siteConfig.srcDir}/${page.filePath}`, 'utf8');
    page.description ||= summaryOf(text);
  },
  transformHead({ pageData: { relativePath, description, title } }) {
    if (relativePath === '404.md') return [];
    const path = relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html');
    return [
      ['link', { rel: 'canonical', href: ADDRESS + path }],
      ['link', { rel: 'alternate', type: 'text/markdown', href: `${BASE}${relativePath}` }],
      ['meta', { property: 'og:title', content: title || TITLE }],
      ['meta', { property: 'og:description', content: description }],
      ['meta', { property: 'og:url', content: ADDRESS + path }],
    ];
  },
  transformHtml(html, _file, { page }) {
    // the icon of the link to GitHub is within the page: a style sheet for it alone would delay the first paint
    const text = html.replace(/ *<link [^>]*vp-icons\.css"[^>]*>\n/, '');
    // VitePress builds this page in the browser
    return page === '404.md' ? text.replace('<div id="app"></div>', `$&<noscript>${missing()}</noscript>`) : text;
  },
  buildEnd: ({ srcDir, outDir, pages }) => writeMarkdown({ srcDir, outDir, pages, address: ADDRESS }),
  themeConfig: {
    siteTitle: TITLE,
    logo: '/icon.svg',
    nav: [
      { text: 'Guide', link: '/guide/getting-started.html' },
      { text: 'Recipes', link: '/recipes/README.html' },
      { text: 'Numbers', link: '/numbers.html' },
      { text: 'Reference', link: '/reference/cli.html' },
      { text: 'Changelog', link: 'https://github.com/jeffbski/bench-rest/blob/main/CHANGELOG.md' },
    ],
    sidebar: sectionsOf().map(({ text, items }, i) => ({ text, collapsed: i > 1, items: items.map(sidebarItem) })),
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { options: { processTerm }, searchOptions: SEARCH } } },
    notFound: MISSING,
    socialLinks: [{ icon: { svg: githubIcon() }, link: 'https://github.com/jeffbski/bench-rest', ariaLabel: 'GitHub' }],
    editLink: {
      pattern: 'https://github.com/jeffbski/bench-rest/edit/main/docs/:path',
      text: 'Edit this page on GitHub',
    },
  },
});

/** Questions have words that each page has: null leaves one out. The text of this function is a part of each page. */
function processTerm(word) {
  const term = word.toLowerCase();
  return /^(a|an|and|are|can|do|does|for|how|i|in|is|it|my|of|on|the|to|what|with)$/.test(term) ? null : term;
}

/** From the icons that VitePress brings. */
function githubIcon() {
  const { icons } = createRequire(import.meta.resolve('vitepress'))('@iconify-json/simple-icons/icons.json');
  return `<svg viewBox="0 0 24 24">${icons.github.body}</svg>`;
}

function sidebarItem({ text, page, items }) {
  return items ? { text, items: items.map(sidebarItem) } : { text, link: `/${page}.html` };
}

function properties(colors) {
  return Object.entries(colors)
    .map(([name, value]) => `--${name}:${value};`)
    .join('');
}

function missing() {
  return `<main class="missing"><h1>${MISSING.title}</h1><p><a href="${BASE}">${MISSING.linkText}</a></p></main>`;
}

/** Without scripts the system decides on dark, and what a click would open is open. */
function withoutScript() {
  const css = readFileSync(pathOf('theme/without-script.css'), 'utf8');
  return `@media screen and (prefers-color-scheme:dark){:root{${properties(PALETTE.dark)}}}${css}`;
}

function pathOf(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}
