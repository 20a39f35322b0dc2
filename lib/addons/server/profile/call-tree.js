import { MOST_NODES, MOST_OTHER_FRAMES, PROFILE_UNITS } from './kinds.js';

/** @import { Profile, ProfileFunction as Frame, ProfileOperations } from '../profile.js' */

/** @typedef {Pick<Profile, 'kind' | 'duration' | 'processes' | 'overhead' | 'operations'>} ProfileFacts */

/** Deeper calls count for the last one: recursion can be without end. V8 records 255 of them. */
const MOST_DEPTH = 256;
/** Nodes while a tree is made; further stacks count for their beginning. */
const MOST_MADE = 500_000;
/** Stands for all functions beyond as many. @type {Frame} */
const OTHER = { name: '(other)', origin: 'native' };
/** Decimals of a value: µs of ms, and whole bytes. */
const DECIMALS = { cpu: 3, heap: 0 };

/** The calls of one or several profiles, added up by their stacks. */
export class CallTree {
  /** @type {Frame[]} */
  frames = [OTHER];
  /** The columns of the nodes; a node follows its parent. @type {number[]} */
  frameOf = [];
  /** @type {number[]} */
  parentOf = [];
  /** @type {number[]} */
  self = [];
  /** @type {number[]} */
  #depthOf = [];
  /** @type {Map<string, number>} */
  #frameIndexes = new Map([[keyOf(OTHER), 0]]);
  /** Indexes by object: many calls share the object of a function, and need no key. @type {Map<Frame, number>} */
  #known = new Map();
  /** By parent and frame. @type {Map<number, number>} */
  #nodes = new Map();
  /** Values by line, of each frame. @type {Map<number, Map<number, number>>} */
  #lines = new Map();

  /** Returns the index of a frame. @type {(frame: Frame) => number} */
  frame(frame) {
    const known = this.#known.get(frame);
    if (known !== undefined) return known;
    const key = keyOf(frame);
    let index = this.#frameIndexes.get(key);
    if (index === undefined && this.frames.length > MOST_MADE) return 0;
    index ??= this.frames.push(frame) - 1;
    this.#frameIndexes.set(key, index);
    this.#known.set(frame, index);
    return index;
  }

  /**
   * Returns the node of a call by another one; -1: by none. Beyond the limits, it returns the node of the caller.
   * @type {(parent: number, frame: number) => number}
   */
  node(parent, frame) {
    // One number for both: there are fewer frames than that.
    const key = (parent + 1) * MOST_MADE * 4 + frame;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const depth = parent < 0 ? 0 : this.#depthOf[parent] + 1;
    if (parent >= 0 && (depth >= MOST_DEPTH || this.frameOf.length >= MOST_MADE)) return parent;
    const made = this.frameOf.push(frame) - 1;
    this.parentOf.push(parent);
    this.self.push(0);
    this.#depthOf.push(depth);
    this.#nodes.set(key, made);
    return made;
  }

  /** Adds the value of a stack, its outermost call first. @type {(frames: number[], value: number) => void} */
  add(frames, value) {
    let node = -1;
    for (const frame of frames) node = this.node(node, frame);
    if (node >= 0) this.self[node] += value;
  }

  /** Adds to the value of a line of a function. @type {(frame: number, line: number, value: number) => void} */
  addLine(frame, line, value) {
    const lines = this.#lines.get(frame) ?? new Map();
    lines.set(line, (lines.get(line) ?? 0) + value);
    this.#lines.set(frame, lines);
  }

  /** Returns the line with most of the values of a function. @type {(frame: number) => number | undefined} */
  hotLine(frame) {
    const lines = [...(this.#lines.get(frame) ?? [])];
    return lines.length === 0 ? undefined : lines.reduce((most, one) => (one[1] > most[1] ? one : most))[0];
  }

  /** Returns the values of nodes with all calls below them. @type {(self?: number[]) => number[]} */
  totals(self = this.self) {
    const totals = self.slice();
    for (let i = totals.length - 1; i >= 0; i--) {
      if (this.parentOf[i] >= 0) totals[this.parentOf[i]] += totals[i];
    }
    return totals;
  }

  /**
   * Returns the values of functions: their own ones, and those with all that they called; recursion counts once.
   * @type {(totals: number[]) => { self: number, total: number }[]}
   */
  frameValues(totals) {
    const values = this.frames.map(() => ({ self: 0, total: 0 }));
    this.frameOf.forEach((frame, i) => {
      values[frame].self += this.self[i];
      if (!this.#isRecursive(i)) values[frame].total += totals[i];
    });
    return values;
  }

  /** @type {(node: number) => boolean} */
  #isRecursive(node) {
    for (let at = this.parentOf[node]; at >= 0; at = this.parentOf[at]) {
      if (this.frameOf[at] === this.frameOf[node]) return true;
    }
    return false;
  }
}

/** @type {(frame: Frame) => string} */
function keyOf({ name, file = '', line = '', column = '' }) {
  return `${name}\0${file}\0${line}\0${column}`;
}

/**
 * The profile of a tree, with the nodes that have most of the values. `values` are those of its functions, if the tree
 * lacks some.
 * @type {(tree: CallTree, facts: ProfileFacts, values?: { self: number, total: number }[]) => Profile}
 */
export function profileOf(tree, { kind, duration, processes, overhead, operations }, values) {
  const totals = tree.totals();
  const functions = values ?? tree.frameValues(totals);
  const rounded = (/** @type {number} */ value) => Number(value.toFixed(DECIMALS[kind]));
  const kept = largest(totals, MOST_NODES);
  const places = new Map(kept.map((node, i) => [node, i]));
  const frames = keptFrames(
    kept.map((node) => tree.frameOf[node]),
    functions.map((one) => one.self),
  );
  const frameIndexes = new Map(frames.map((frame, i) => [frame, i]));
  return {
    kind,
    unit: PROFILE_UNITS[kind],
    total: rounded(tree.self.reduce((sum, value) => sum + value, 0)),
    duration: Math.round(duration),
    processes: processes.map((one) => ({ ...one, total: rounded(one.total) })),
    frames: frames.map((frame) => {
      const hotLine = tree.hotLine(frame);
      return {
        ...tree.frames[frame],
        ...(hotLine !== undefined && { hotLine }),
        self: rounded(functions[frame].self),
        total: rounded(functions[frame].total),
      };
    }),
    tree: {
      frames: kept.map((node) => /** @type {number} */ (frameIndexes.get(tree.frameOf[node]))),
      parents: kept.map((node) => places.get(tree.parentOf[node]) ?? -1),
      self: selfOfKept(tree, places).map(rounded),
    },
    ...(overhead !== undefined && { overhead: Number(overhead.toFixed(4)) }),
    ...(operations && { operations: operationsWith(operations, rounded) }),
  };
}

/**
 * Returns the values of the nodes that are kept, at their places. The value of a node that is left out counts for its
 * nearest caller that is kept.
 * @type {(tree: CallTree, places: Map<number, number>) => number[]}
 */
function selfOfKept({ self, parentOf }, places) {
  const values = Array(places.size).fill(0);
  self.forEach((value, node) => {
    let at = node;
    while (at >= 0 && !places.has(at)) at = parentOf[at];
    if (at >= 0) values[/** @type {number} */ (places.get(at))] += value;
  });
  return values;
}

/** @type {(operations: ProfileOperations, rounded: (value: number) => number) => ProfileOperations} */
function operationsWith({ rows, others, shared }, rounded) {
  return {
    rows: rows.map(({ name, value, direct }) => ({ name, value: rounded(value), direct: rounded(direct) })),
    others: rounded(others),
    shared: rounded(shared),
  };
}

/**
 * Returns the nodes with the largest values above 0, in their order. A caller has at least the value of its calls, and
 * precedes them, so they are a tree.
 * @type {(totals: number[], most: number) => number[]}
 */
export function largest(totals, most) {
  const nodes = totals.map((_, node) => node).filter((node) => totals[node] > 0);
  if (nodes.length <= most) return nodes;
  return nodes
    .sort((a, b) => totals[b] - totals[a] || a - b)
    .slice(0, most)
    .sort((a, b) => a - b);
}

/**
 * Returns the frames that the tree needs, and the hottest others; the hottest first.
 * @type {(used: number[], self: number[]) => number[]}
 */
function keptFrames(used, self) {
  const needed = new Set(used);
  const hottest = (/** @type {number} */ a, /** @type {number} */ b) => self[b] - self[a] || a - b;
  const others = self.flatMap((value, frame) => (value > 0 && !needed.has(frame) ? [frame] : [])).sort(hottest);
  return [...needed, ...others.slice(0, MOST_OTHER_FRAMES)].sort(hottest);
}

/**
 * Adds up profiles of one kind, such as those of several processes or runs, of which there is at least one. Saved ones
 * are untrusted: nodes whose caller does not precede them are calls by none.
 * @type {(profiles: Profile[]) => Profile}
 */
export function mergeProfiles(profiles) {
  if (profiles.length === 1) return profiles[0];
  const tree = new CallTree();
  /** @type {{ self: number, total: number }[]} */
  const values = [];
  for (const profile of profiles) {
    const frames = profile.frames.map(({ self, total, hotLine, ...frame }) => {
      const index = tree.frame(frame);
      const { self: otherSelf = 0, total: otherTotal = 0 } = values[index] ?? {};
      values[index] = { self: self + otherSelf, total: total + otherTotal };
      if (hotLine !== undefined) tree.addLine(index, hotLine, self);
      return index;
    });
    addTree(tree, profile.tree, frames, (node, i) => (tree.self[node] += profile.tree.self[i]));
  }
  const [{ kind }] = profiles;
  const overheads = profiles.flatMap(({ overhead }) => overhead ?? []);
  return profileOf(
    tree,
    {
      kind,
      duration: profiles.reduce((sum, one) => sum + one.duration, 0),
      processes: addProcesses(profiles.flatMap((one) => one.processes)),
      operations: addOperations(profiles.flatMap(({ operations }) => operations ?? [])),
      ...(overheads.length > 0 && { overhead: overheads.reduce((sum, one) => sum + one, 0) / overheads.length }),
    },
    values,
  );
}

/**
 * Adds the nodes of a saved tree; `frames` are the indexes of its frames in the other tree.
 * @type {(tree: CallTree, saved: Pick<Profile['tree'], 'frames' | 'parents'>, frames: number[], onNode: (node: number,
 *   i: number) => void) => void}
 */
export function addTree(tree, { frames: frameOf, parents }, frames, onNode) {
  /** @type {number[]} */
  const nodes = [];
  frameOf.forEach((frame, i) => {
    if (frames[frame] === undefined) return;
    const parent = parents[i] < i ? (nodes[parents[i]] ?? -1) : -1;
    nodes[i] = tree.node(parent, frames[frame]);
    onNode(nodes[i], i);
  });
}

/** Processes of one name are one. @type {(processes: Profile['processes']) => Profile['processes']} */
function addProcesses(processes) {
  /** @type {Map<string, Profile['processes'][0]>} */
  const byName = new Map();
  for (const one of processes) byName.set(one.name, { ...one, total: (byName.get(one.name)?.total ?? 0) + one.total });
  return [...byName.values()].sort((a, b) => b.total - a.total);
}

/** Operations of one name are one. @type {(all: ProfileOperations[]) => ProfileOperations | undefined} */
function addOperations(all) {
  if (all.length === 0) return undefined;
  /** @type {Map<string, ProfileOperations['rows'][0]>} */
  const byName = new Map();
  for (const { name, value, direct } of all.flatMap(({ rows }) => rows)) {
    const known = byName.get(name) ?? { name, value: 0, direct: 0 };
    byName.set(name, { name, value: known.value + value, direct: known.direct + direct });
  }
  return {
    rows: [...byName.values()].sort((a, b) => b.value - a.value),
    others: all.reduce((sum, { others }) => sum + others, 0),
    shared: all.reduce((sum, { shared }) => sum + shared, 0),
  };
}
