import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Pages are Markdown, no templates: braces are text. */
export function textPlugin(md) {
  const { render } = md.renderer;
  md.renderer.render = (...args) => render.apply(md.renderer, args).replaceAll('{{', '&#123;&#123;');
}

/**
 * The page with `layout: landing` is plain Markdown. Each of its level 2 headings begins a section, and what is before the
 * first one is the header; the style sheet lays them out by their ids.
 */
export function landingPlugin(md) {
  md.core.ruler.push('landing-sections', (state) => {
    if (state.env.frontmatter?.layout !== 'landing') return;
    const sections = [[]];
    for (const token of state.tokens) {
      if (token.type === 'heading_open' && token.tag === 'h2') sections.push([]);
      sections.at(-1).push(token);
    }
    state.tokens = sections.flatMap((tokens, i) => {
      const open = new state.Token('html_block', '', 0);
      const close = new state.Token('html_block', '', 0);
      const title = i === 0 ? 'header' : tokens[0].attrGet('id');
      open.content = `<section class="landing-section" data-section="${title}">\n`;
      close.content = '</section>\n';
      return [open, ...tokens, close];
    });
  });
}

/** Gives images their size, so that text does not move when they arrive, and loads those after the first one late. */
export function imagePlugin(md) {
  md.core.ruler.push('image-sizes', ({ tokens, env }) => {
    const images = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'image');
    for (const [i, image] of images.entries()) {
      const src = image.attrGet('src').split('#')[0];
      const size = /^[a-z]+:/.test(src) ? undefined : sizeOf(join(dirname(env.path), src));
      for (const [name, value] of Object.entries(size ?? {})) image.attrSet(name, String(value));
      if (i > 0) image.attrSet('loading', 'lazy');
    }
  });
}

/** @type {(file: string) => { width: number, height: number } | undefined} */
function sizeOf(file) {
  const bytes = readFileSync(file);
  if (file.endsWith('.png')) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(bytes.toString('utf8', 0, 1000)) ?? [];
  return width ? { width: Number(width), height: Number(height) } : undefined;
}
