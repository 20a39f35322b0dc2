/** @import { ProfileFunction as Frame } from '../profile.js' */
/** @import { CallTree } from './call-tree.js' */
/** @import { Call } from './place.js' */

/** Longer lines are no stacks: the text has another format. */
const LONGEST_LINE = 1_000_000;
/**
 * How tools write a function with its place: `handler (app.py:12)` of py-spy, and `JS:*list /srv/app.js:31:7` of perf
 * with `--perf-basic-prof` of Node.
 */
const WITH_PLACE = [
  /^(?<name>.*?) \((?<file>[^()]*?):(?<line>\d+)\)$/,
  /^(?:JS|LazyCompile|Function|Script|Eval|Builtin):[*~^+]?(?<name>.*?) ?(?<file>(?:file:|node:|[/\\]|[A-Za-z]:[/\\])[^ ]*?):(?<line>\d+):(?<column>\d+)$/,
];

/**
 * Adds folded stacks, as stackcollapse-perf.pl and py-spy write them: a line for each stack, `main;handler;parse 41`.
 * @throws {TypeError} it has none
 * @type {(tree: CallTree, text: string, frameOf: (call: Call) => Frame, perValue: number) => void} perValue: the value
 *   of each sample
 */
export function addFolded(tree, text, frameOf, perValue) {
  /** @type {Map<string, number>} */
  const known = new Map();
  const frameAt = (/** @type {string} */ name) => {
    const found = known.get(name) ?? tree.frame(frameOf(callOf(name)));
    known.set(name, found);
    return found;
  };
  let stacks = 0;
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    const at = line.lastIndexOf(' ');
    const value = Number(line.slice(at + 1));
    if (at <= 0 || line.length > LONGEST_LINE || !(value > 0)) continue;
    tree.add(line.slice(0, at).split(';').map(frameAt), value * perValue);
    stacks++;
  }
  if (stacks === 0) throw new TypeError('it has no folded stacks: lines such as main;handler;parse 41');
}

/** @type {(text: string) => Call} */
function callOf(text) {
  for (const pattern of WITH_PLACE) {
    const { name, file, line, column } = pattern.exec(text)?.groups ?? {};
    if (line !== undefined) return { name, file, line: Number(line), ...(column && { column: Number(column) }) };
  }
  return { name: text };
}
