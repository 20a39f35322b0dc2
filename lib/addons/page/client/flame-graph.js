import { percent } from '../../../core/ground/decimal.js';
import { element, svg } from './elements.js';

/**
 * A flame graph, with callers above their calls. A click enlarges a call to the whole width, and so does Enter;
 * the arrow keys move to callers, calls and neighbours, Escape shrinks it. A search marks the calls that match.
 *
 * @typedef {object} FlameNode
 * @property {number} frame
 * @property {number} parent -1: none
 * @property {number} depth
 * @property {number} from where it begins, in the unit of the values
 * @property {number} value with its calls
 * @property {number} [base] the value of the other side
 * @property {number[]} children
 *
 * @typedef {{ node: FlameNode, i: number, x: number, width: number, isAbove: boolean }} Shape as it is drawn
 *
 * @typedef {object} Graph
 * @property {{ name: string, origin: string, file?: string, line?: number, package?: string }[]} frames
 * @property {{ frames: number[], parents: number[], self?: number[], base?: number[], new?: number[] }} tree a call at
 *   each index, after its caller: `self` without the calls below it, `base` and `new` of a comparison with them
 */

const ROW = 18;
/** Calls narrower than this are not drawn, px. */
const LEAST_PX = 0.7;
const CHARACTER_PX = 6.4;
const LEAST_TEXT_PX = 26;
/** Changes by this share of the total have the strongest color. */
const STRONG = 0.05;
/** Changes by less of the total count as none. */
const LEAST_CHANGE = 0.002;
/** Rows that are drawn: recursion could make the page endless. */
const MOST_ROWS = 120;

/** A flame graph with its search. */
export class FlameGraph {
  #frames;
  #nodes;
  #total;
  #isCompared;
  #valueText;
  /** The node that has the whole width; -1: none. */
  #zoomed = -1;
  /** The node that keys move from; -1: none. */
  #selected = -1;
  /** What the user searches for, in lower case. */
  #term = '';
  #readout = element('p', { class: 'quiet small readout', 'aria-live': 'polite' });
  #found = element('span', { class: 'quiet small' });
  #reset = element('button', { type: 'button', text: 'whole width', onclick: () => this.#zoom(-1) });
  #search;
  #picture;
  /** @type {HTMLElement} */
  figure;

  /**
   * @param {Graph} graph
   * @param {{ label: string, valueText: (value: number) => string }} options valueText: formats a value
   */
  constructor({ frames, tree }, { label, valueText }) {
    this.#frames = frames;
    this.#valueText = valueText;
    this.#isCompared = tree.base !== undefined;
    const { nodes, total } = nodesOf(tree);
    this.#nodes = nodes;
    this.#total = total;
    this.#search = /** @type {HTMLInputElement} */ (
      element('input', {
        type: 'search',
        placeholder: 'search functions and files',
        'aria-label': 'search functions and files',
        oninput: () => this.#find(),
      })
    );
    this.#picture = svg('svg', {
      class: 'flames',
      role: 'img',
      'aria-label': `${label}, a flame graph`,
      tabindex: 0,
      onclick: (/** @type {MouseEvent} */ { target }) => this.#zoom(nodeAt(target)),
      onmousemove: (/** @type {MouseEvent} */ { target }) => this.#describe(nodeAt(target)),
      onmouseleave: () => this.#describe(this.#selected),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#move(event),
    });
    const tools = element('div', { class: 'flame-tools' }, this.#search, this.#found, this.#reset);
    tools.append(legendOf(this.#isCompared));
    this.figure = element('div', { class: 'flame-graph' }, tools, this.#picture, this.#readout);
    this.#describe(-1);
  }

  /** Draws the graph in its current width. */
  draw() {
    const width = this.#picture.clientWidth || 1000;
    const shown = this.#shapes(width);
    const height = ROW * (1 + shown.reduce((most, { node }) => Math.max(most, node.depth), 0));
    this.#picture.setAttribute('height', String(height));
    this.#picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.#picture.replaceChildren(...shown.map((shape) => this.#drawn(shape)));
    this.#reset.hidden = this.#zoomed < 0;
  }

  /** The calls wide enough to be seen, and their callers in the whole width. @type {(width: number) => Shape[]} */
  #shapes(width) {
    const { from, value, depth } = this.#nodes[this.#zoomed] ?? { from: 0, value: this.#total, depth: -1 };
    const scale = value > 0 ? width / value : 0;
    const above = ancestorsOf(this.#nodes, this.#zoomed);
    return this.#nodes.flatMap((node, i) => {
      const isAbove = above.has(i);
      const x = isAbove ? 0 : (node.from - from) * scale;
      const own = isAbove ? width : node.value * scale;
      // Half a pixel allows for rounding.
      const isOutside = !isAbove && (x < -0.5 || x + own > width + 0.5 || node.depth < depth);
      return isOutside || own < LEAST_PX || node.depth >= MOST_ROWS ? [] : [{ node, i, x, width: own, isAbove }];
    });
  }

  /** @type {(shape: Shape) => SVGElement} */
  #drawn({ node, i, x, width, isAbove }) {
    const { name, origin } = this.#frames[node.frame];
    const y = node.depth * ROW;
    const classes = [
      this.#isCompared ? changeClass(node, this.#total) : `flame-${origin}`,
      isAbove && 'above',
      i === this.#selected && 'selected',
      this.#term !== '' && (this.#isFound(node) ? 'found' : 'other'),
    ];
    const box = svg('rect', { x, y, width: Math.max(width - 0.5, 0.5), height: ROW - 1, rx: 1 });
    const most = Math.floor((width - 6) / CHARACTER_PX);
    const text = name.length > most ? `${name.slice(0, Math.max(1, most - 1))}…` : name;
    const label = width < LEAST_TEXT_PX ? [] : [svg('text', { x: x + 3, y: y + ROW - 5.5, text })];
    return svg('g', { class: classes.filter(Boolean).join(' '), 'data-node': i }, box, ...label);
  }

  /** @type {(node: number) => void} */
  #zoom(node) {
    this.#zoomed = node;
    this.#select(node);
  }

  /** @type {(node: number) => void} */
  #select(node) {
    this.#selected = node;
    this.draw();
    this.#describe(node);
  }

  /** @type {(event: KeyboardEvent) => void} */
  #move(event) {
    const { parent = -1, children = rootsOf(this.#nodes) } = this.#nodes[this.#selected] ?? {};
    const beside = this.#nodes[parent]?.children ?? rootsOf(this.#nodes);
    const at = beside.indexOf(this.#selected);
    /** @type {Record<string, () => void>} */
    const moves = {
      Enter: () => this.#zoom(this.#selected),
      Escape: () => this.#zoom(-1),
      ArrowUp: () => this.#select(parent),
      ArrowDown: () => this.#select(children[0] ?? this.#selected),
      ArrowLeft: () => this.#select(beside[Math.max(0, at - 1)] ?? -1),
      ArrowRight: () => this.#select(beside[Math.min(beside.length - 1, at + 1)] ?? -1),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  /** @type {(node: number) => void} */
  #describe(node) {
    this.#readout.textContent = node < 0 ? '\u00a0' : this.#textOf(this.#nodes[node]);
  }

  /** @type {(node: FlameNode) => string} */
  #textOf({ frame, value, base }) {
    const text = this.#valueText;
    const share = this.#total > 0 ? `, ${percent(value / this.#total)}` : '';
    const amounts = base === undefined ? `${text(value)}${share}` : `${text(base)} before, ${text(value)} now`;
    return `${this.#frames[frame].name}: ${amounts} · ${placeOf(this.#frames[frame])}`;
  }

  /** @type {(node: FlameNode) => boolean} */
  #isFound({ frame }) {
    const one = this.#frames[frame];
    return this.#term !== '' && `${one.name} ${placeOf(one)}`.toLowerCase().includes(this.#term);
  }

  /** Marks the calls that match, and adds them up: a match within another one is not counted again. */
  #find() {
    this.#term = this.#search.value.trim().toLowerCase();
    let sum = 0;
    /** @type {boolean[]} */
    const inside = [];
    this.#nodes.forEach((node, i) => {
      const isWithin = node.parent >= 0 && inside[node.parent];
      inside[i] = isWithin || this.#isFound(node);
      if (inside[i] && !isWithin) sum += node.value;
    });
    const share = this.#total > 0 ? sum / this.#total : 0;
    this.#found.textContent = this.#term === '' ? '' : `found: ${percent(share)}`;
    this.draw();
  }
}

/** @type {(target: EventTarget | null) => number} */
function nodeAt(target) {
  const at = /** @type {Element | null} */ (target)?.closest('[data-node]');
  return at ? Number(at.getAttribute('data-node')) : -1;
}

/** @type {(frame: Graph['frames'][0]) => string} */
function placeOf({ file, line, origin }) {
  if (file === undefined) return origin;
  return line === undefined ? file : `${file}:${line}`;
}

/** @type {(isCompared: boolean) => HTMLElement} */
function legendOf(isCompared) {
  const names = isCompared
    ? { 'flame-more-3': 'more than before', 'flame-less-3': 'less than before', 'flame-same': 'as before' }
    : { 'flame-own': 'own code', 'flame-package': 'packages', 'flame-runtime': 'runtime', 'flame-native': 'native' };
  return element(
    'ul',
    { class: 'legend' },
    ...Object.entries(names).map(([key, text]) =>
      element('li', {}, svg('svg', { viewBox: '0 0 14 10', class: key }, svg('rect', { width: 14, height: 10 })), text),
    ),
  );
}

/** The class of the change of a call, with the calls below it. @type {(node: FlameNode, total: number) => string} */
function changeClass({ value, base = 0 }, total) {
  const change = total > 0 ? (value - base) / total : 0;
  const strength = Math.min(3, Math.ceil((Math.abs(change) / STRONG) * 3));
  return Math.abs(change) < LEAST_CHANGE ? 'flame-same' : `flame-${change > 0 ? 'more' : 'less'}-${strength}`;
}

/**
 * Returns the nodes of a tree, placed beside those of the same caller, the largest first.
 * @type {(tree: Graph['tree']) => { nodes: FlameNode[], total: number }}
 */
function nodesOf({ frames, parents, self, base, new: newValues }) {
  const values = newValues?.slice() ?? self?.slice() ?? [];
  // A saved result may be damaged: a caller precedes its calls.
  const parentOf = parents.map((parent, i) => (parent < i ? parent : -1));
  // From the last call on, so that a call is complete before it is added to its caller.
  if (!newValues) for (let i = values.length - 1; i >= 0; i--) if (parentOf[i] >= 0) values[parentOf[i]] += values[i];
  const nodes = frames.map((frame, i) => ({
    frame,
    parent: parentOf[i],
    depth: 0,
    from: 0,
    value: values[i],
    ...(base && { base: base[i] }),
    children: /** @type {number[]} */ ([]),
  }));
  nodes.forEach(({ parent }, i) => nodes[parent]?.children.push(i));
  const roots = rootsOf(nodes);
  place(nodes, roots, 0);
  nodes.forEach((node) => {
    if (node.parent >= 0) node.depth = nodes[node.parent].depth + 1;
    place(nodes, node.children, node.from);
  });
  return { nodes, total: roots.reduce((sum, i) => sum + nodes[i].value, 0) };
}

/** Puts nodes side by side, the largest first. @type {(nodes: FlameNode[], some: number[], from: number) => void} */
function place(nodes, some, from) {
  let at = from;
  some.sort((a, b) => nodes[b].value - nodes[a].value);
  for (const i of some) {
    nodes[i].from = at;
    at += nodes[i].value;
  }
}

/** @type {(nodes: FlameNode[]) => number[]} */
function rootsOf(nodes) {
  return nodes.flatMap(({ parent }, i) => (parent < 0 ? [i] : [])).sort((a, b) => nodes[b].value - nodes[a].value);
}

/** @type {(nodes: FlameNode[], node: number) => Set<number>} */
function ancestorsOf(nodes, node) {
  const above = new Set();
  for (let at = nodes[node]?.parent ?? -1; at >= 0; at = nodes[at].parent) above.add(at);
  return above;
}
