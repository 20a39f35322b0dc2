import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Characters of code that fit into a line of a phone. */
const LINE = 34;

/** Pages are Markdown, no templates: braces are text. Code that may break between lines is marked. */
export function textPlugin(md) {
  md.core.ruler.push('long-code', ({ tokens }) => {
    const code = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'code_inline');
    for (const token of code) if (token.content.length > LINE) token.attrSet('class', 'long');
  });
  const { render } = md.renderer;
  md.renderer.render = (...args) => render.apply(md.renderer, args).replaceAll('{{', '&#123;&#123;');
}

/** Lets the types of a table break after their brackets and bars, not within a word. */
export function codePlugin(md) {
  const render = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (...args) => render(...args).replace(/(&lt;|[([{|])(?=\w)/g, '$1<wbr>');
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

/** Gives images their size, so that text does not move when they arrive, and loads those of Markdown late. */
export function imagePlugin(md) {
  md.core.ruler.push('image-sizes', ({ tokens, env }) => {
    const sizeAt = (/** @type {string} */ src) => sizeOf(join(dirname(env.path), src.split('#')[0]));
    for (const image of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'image')) {
      const size = sizeAt(image.attrGet('src'));
      for (const [name, value] of Object.entries(size ?? {})) image.attrSet(name, String(value));
      image.attrSet('loading', 'lazy');
    }
    for (const token of tokens.filter(({ type }) => type === 'html_block'))
      token.content = token.content.replace(/ (?:src|srcset)="(\.[^"]+)"/g, (attribute, src) => {
        const size = sizeAt(src);
        return size ? `${attribute} width="${size.width}" height="${size.height}"` : attribute;
      });
  });
}

/** @type {(file: string) => { width: number, height: number } | undefined} */
function sizeOf(file) {
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  if (file.endsWith('.png')) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(bytes.toString('utf8', 0, 1000)) ?? [];
  return width ? { width: Number(width), height: Number(height) } : undefined;
}
