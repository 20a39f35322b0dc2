/** Profiles of the service, as results and reports have them. */

declare module '../../core/contracts/stats.js' {
  interface Stats {
    /** of the service, if it was profiled: active time, allocations */
    profiles?: Profile[];
  }
}

/** what the values of a profile are */
export type ProfileKind = 'cpu' | 'heap';

/** a function, and where its code is */
export interface ProfileFunction {
  name: string;
  /** relative to the folder of the service: `routes/list.js`; of a package `express/lib/router/index.js` */
  file?: string;
  /** of its beginning, from 1 */
  line?: number;
  /** from 1 */
  column?: number;
  /** own: code of the service; runtime: a module of Node or a standard library; native: it has no file */
  origin: 'own' | 'package' | 'runtime' | 'native';
  /** that its file belongs to */
  package?: string;
}

/** a function that was on the stack of a sample */
export interface ProfileFrame extends ProfileFunction {
  /** the line that has most of its own samples */
  hotLine?: number;
  /** of its own code */
  self: number;
  /** with all that it called */
  total: number;
}

/** a tree of calls, as columns: node i is a call of `frames[i]` by node `parents[i]`, which precedes it; -1: by none */
export interface ProfileTree {
  frames: number[];
  parents: number[];
  /** of the node alone, and of the calls below it that the tree leaves out */
  self: number[];
}

/** the values of a profile by operation of the flow; the rest of its total belongs to none, or is not known */
export interface ProfileOperations {
  /** `value` includes `direct`, which V8 recorded below the handler of a request; the largest first */
  rows: { name: string; value: number; direct: number }[];
  /** of requests of no operation */
  others: number;
  /** of functions that several operations call after an `await` or in a callback */
  shared: number;
}

/** the active time of the functions of the service, or their allocations, in the measured time */
export interface Profile {
  kind: ProfileKind;
  unit: 'ms' | 'B';
  /** sum of all samples, without idle time; of V8, this includes waiting for a CPU */
  total: number;
  /** that was recorded, ms */
  duration: number;
  /** that were recorded; each worker thread is an entry of its own */
  processes: { name: string; total: number; isWorker?: true }[];
  /** of the tree, and others with much time of their own, the hottest first */
  frames: ProfileFrame[];
  /** the calls with most time, at most 5,000 */
  tree: ProfileTree;
  /** of a Node service that got requests */
  operations?: ProfileOperations;
  /** CPU time that recording took, as a share of that of the service */
  overhead?: number;
  /** of the raw profile, as V8 recorded it */
  files?: string[];
}

/** a function of both sides of a comparison; values are per request */
export interface ComparedFunction extends ProfileFunction {
  /** the function of the service that called it; absent: it is one itself, or there is none */
  by?: ProfileFunction;
  base: number;
  new: number;
}

/** the profiles of two sides of a comparison; values are per request, so that the length of the runs does not count */
export interface ComparedProfile {
  kind: ProfileKind;
  unit: Profile['unit'];
  /** per request */
  base: number;
  new: number;
  /** those whose own values changed most, the largest change first */
  functions: ComparedFunction[];
  frames: ProfileFunction[];
  /** the tree of both sides */
  tree: { frames: number[]; parents: number[]; base: number[]; new: number[] };
}
