/** ESLint keeps its findings by name and version. */
export const meta = { name: 'type-files', version: '1' };

/** ESLint parser of files that have only types: rules see their text and their comments. */
export function parse(text) {
  const lines = text.split('\n');
  const positionOf = (index) => {
    const before = text.slice(0, index).split('\n');
    return { line: before.length, column: before.at(-1).length };
  };
  const comments = Array.from(text.matchAll(/\/\*([\s\S]*?)\*\//g), ({ 0: whole, 1: value, index }) => ({
    type: 'Block',
    value,
    range: [index, index + whole.length],
    loc: { start: positionOf(index), end: positionOf(index + whole.length) },
  }));
  const loc = { start: { line: 1, column: 0 }, end: { line: lines.length, column: lines.at(-1).length } };
  return { type: 'Program', sourceType: 'module', body: [], tokens: [], comments, range: [0, text.length], loc };
}
