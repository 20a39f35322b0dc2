/** Colors of pages and pictures by use, on light and dark ground: contrasts of at least 4.5 (WCAG 2, AA). */
export const PALETTE = {
  light: {
    ground: '#fff',
    raised: '#f8f9fb',
    line: '#e4e7ec',
    text: '#16181d',
    quiet: '#5d6675',
    one: '#2563eb',
    two: '#b45309',
    three: '#0d9488',
    bad: '#c81e1e',
    good: '#067647',
    fair: '#8a4b00',
    'bad-ground': '#fef3f2',
    'good-ground': '#ecfdf3',
    'fair-ground': '#fff8eb',
  },
  dark: {
    ground: '#0e1116',
    raised: '#161b22',
    line: '#2a313c',
    text: '#e6e9ef',
    quiet: '#9aa4b2',
    one: '#6ea0ff',
    two: '#fdb022',
    three: '#2dd4bf',
    bad: '#ff7b6e',
    good: '#47cd89',
    fair: '#fdb022',
    'bad-ground': '#2a1512',
    'good-ground': '#0d2318',
    'fair-ground': '#2b1f08',
  },
};

/**
 * The colors of a terminal, whose ground is not known: each has a contrast of at least 3 (WCAG 2, graphics) with white,
 * and with grounds from black to #1e1e1e.
 */
export const TERMINAL_PALETTE = {
  quiet: '#767c89',
  one: '#3b82f6',
  two: '#8b5cf6',
  three: '#d6409f',
  bad: '#dc2626',
  good: '#16a34a',
  fair: '#b7791f',
};

/** The colors of a heat map in a terminal, from few to many, with the same contrast. */
export const TERMINAL_HEAT = [
  '#5f7396',
  '#4f79b8',
  '#3b82f6',
  '#5b74ee',
  '#7c66ee',
  '#a855e8',
  '#cf47c6',
  '#e0487f',
  '#e8632b',
];

/** The colors as custom properties of a style sheet: `var(--one)`. @type {() => string} */
export function colorProperties() {
  const properties = (/** @type {Record<string, string>} */ colors) =>
    Object.entries(colors)
      .map(([name, value]) => `--${name}:${value};`)
      .join('');
  // Paper is light: the script marks a page that is being printed, as charts are drawn before the styles of print
  // apply.
  return `:root{color-scheme:light dark;${properties(PALETTE.light)}}
@media screen and (prefers-color-scheme:dark){:root:not([data-printing]){${properties(PALETTE.dark)}}}
@media print{:root{color-scheme:light}}
[data-printing]{color-scheme:light}
`;
}
