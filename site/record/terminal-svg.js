import { PALETTE } from '../../lib/addons/palette/index.js';

const CELL = { width: 8.4, height: 19 };
const SIZE = 14;
const PAD = { x: 20, top: 52, bottom: 18 };

/** The 16 colors of a terminal by the use that the report makes of them. */
const COLORS = [
  'line',
  'bad',
  'good',
  'fair',
  'one',
  'two',
  'three',
  'text',
  'quiet',
  'bad',
  'good',
  'two',
  'one',
  'two',
  'three',
  'text',
];
/** Eighths of a cell: from below, and from the left. */
const LOWER = '▁▂▃▄▅▆▇█';
const LEFT = '▏▎▍▌▋▊▉█';

/**
 * An animated picture of a recorded run: SVG with styles alone, so that it plays without scripts. It plays once and
 * stays at the last screen; who prefers no motion sees this one only.
 *
 * @type {(screens: import('./terminal.js').Screen[], about: { cols: number, rows: number }) => string}
 */
export function terminalSvg(screens, { cols, rows }) {
  const [width, height] = [cols * CELL.width + 2 * PAD.x, rows * CELL.height + PAD.top + PAD.bottom];
  const known = new Map();
  const [screenWidth, screenHeight] = [cols * CELL.width, rows * CELL.height];
  const groups = screens.map(({ rows: lines }, i) => {
    const uses = lines.map((runs, y) => useOf(runs, y, known)).join('');
    return `<g transform="translate(0 ${i * screenHeight})">${uses}</g>`;
  });
  const symbols = [...known.values()].map(({ id, markup }) => `<g id="${id}">${markup}</g>`).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" font-size="${SIZE}">
<style>${styles()}${film(screens, screenHeight)}</style>
<rect class="ground" width="100%" height="100%" rx="12"/>
<g class="dots"><circle cx="22" cy="22" r="6"/><circle cx="42" cy="22" r="6"/><circle cx="62" cy="22" r="6"/></g>
<defs>
${symbols}
</defs>
<svg x="${PAD.x}" y="${PAD.top}" width="${round(screenWidth)}" height="${screenHeight}"><g class="film">
${groups.join('\n')}
</g></svg>
</svg>
`;
}

/** Equal rows are drawn once, and used by many screens. */
function useOf(runs, y, known) {
  if (runs.length === 0) return '';
  const markup = markupOf(runs);
  if (!known.has(markup)) known.set(markup, { id: `r${known.size.toString(36)}`, markup });
  return `<use href="#${known.get(markup).id}" y="${round(y * CELL.height)}"/>`;
}

function markupOf(runs) {
  let column = 0;
  return runs
    .map((run) => {
      const at = column;
      column += [...run.text].length;
      return groundOf(run, at) + (isBlocks(run.text) ? blocksOf(run, at) : textOf(run, at));
    })
    .join('');
}

function groundOf({ text, ground }, at) {
  if (ground === undefined) return '';
  const size = `x="${round(at * CELL.width)}" width="${round([...text].length * CELL.width)}" height="${CELL.height}"`;
  return typeof ground === 'number'
    ? `<rect ${size} class="c${ground}f"/>`
    : `<rect ${size} fill="${fillOf(ground)}"/>`;
}

function fillOf(color) {
  return color === 'text' ? 'var(--text)' : color;
}

/** Text that is as wide as its cells in every font. */
function textOf({ text, color, isBold, isDim }, at) {
  const shown = text.trimEnd();
  const blank = shown.length - shown.trimStart().length;
  const letters = [...shown.trimStart()];
  if (letters.length === 0) return '';
  const names = [color === undefined ? '' : `c${color}`, isBold ? 'b' : '', isDim ? 'd' : ''];
  const style = styleOf(color, names);
  const x = round((at + blank) * CELL.width);
  return `<text x="${x}" y="14" textLength="${round(letters.length * CELL.width)}"${style}>${escaped(letters.join(''))}</text>`;
}

function styleOf(color, names) {
  if (typeof color === 'string') names[0] = '';
  const classes = names.filter(Boolean).join(' ');
  return `${classes ? ` class="${classes}"` : ''}${typeof color === 'string' ? ` fill="${color}"` : ''}`;
}

function isBlocks(text) {
  return /^[ ▀-▏█░▒▓]+$/u.test(text) && /[▀-▏█░▒▓]/u.test(text);
}

/** Blocks are drawn as shapes, since fonts leave gaps between them. */
function blocksOf({ text, color }, at) {
  const shapes = [...text].map((letter, i) => shapeOf(letter, at + i)).join('');
  const fill = typeof color === 'number' ? ` class="c${color}f"` : ` fill="${color ?? 'var(--text)'}"`;
  return `<path${fill} d="${shapes}"/>`;
}

function shapeOf(letter, column) {
  const x = column * CELL.width;
  const { width, height } = CELL;
  if (letter === '▀') return box(x, 0, width, height / 2);
  if (LOWER.includes(letter)) {
    const part = ((LOWER.indexOf(letter) + 1) / 8) * height;
    return box(x, height - part, width, part);
  }
  if (LEFT.includes(letter)) return box(x, 0, ((LEFT.indexOf(letter) + 1) / 8) * width, height);
  const shade = { '░': 0.25, '▒': 0.5, '▓': 0.75 }[letter];
  return shade ? box(x, height * (1 - shade), width, height * shade) : '';
}

function box(x, y, width, height) {
  return `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
}

function styles() {
  const properties = (colors) =>
    ['raised', 'line', 'text', 'quiet', 'one', 'two', 'three', 'bad', 'good', 'fair']
      .map((name) => `--${name}:${colors[name]}`)
      .join(';');
  const classes = COLORS.map((name, i) => `.c${i}{fill:var(--${name})}.c${i}f{fill:var(--${name})}`).join('');
  return `:root{${properties(PALETTE.light)}}
@media (prefers-color-scheme:dark){:root{${properties(PALETTE.dark)}}}
.dots{fill:var(--line)}.ground{fill:var(--raised);stroke:var(--line)}
text{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text);white-space:pre}
${classes}.b{font-weight:700}.d{fill:var(--quiet)}
`;
}

/** The screens are one below the other, and a single animation moves them: many would cost a phone its CPU. */
function film(screens, height) {
  const last = screens.at(-1).atMs;
  const at = (/** @type {number} */ i) => `{transform:translateY(${-i * height}px)}`;
  if (last === 0) return '';
  const steps = screens.map(({ atMs }, i) => `${round((100 * atMs) / last)}%${at(i)}`);
  return `.film{animation:play ${round(last / 1000)}s step-end forwards}
@keyframes play{${steps.join('')}}
@media (prefers-reduced-motion:reduce){.film{animation:none;transform:translateY(${-(screens.length - 1) * height}px)}}`;
}

function round(value) {
  return String(Math.round(value * 100) / 100);
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
