import type { Amount, Count, Ms, Share } from '../../core/contracts/quantities.js';

/** Profiles of the service, as results and reports have them. */

declare module '../../core/contracts/stats.js' {
  interface Stats {
    /**
     * of the service, if it was profiled: active time, allocations
     * @maxItems 2
     * @experimental
     */
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
  line?: Count;
  /** from 1 */
  column?: Count;
  /** own: code of the service; runtime: a module of Node or a standard library; native: it has no file */
  origin: 'own' | 'package' | 'runtime' | 'native';
  /** that its file belongs to */
  package?: string;
}

/** a function that was on the stack of a sample */
export interface ProfileFrame extends ProfileFunction {
  /** the line that has most of its own samples */
  hotLine?: Count;
  /** of its own code */
  self: Amount;
  /** with all that it called */
  total: Amount;
}

/**
 * of the calling node; -1: none
 * @integer
 * @minimum -1
 */
export type Parent = number;

/** a tree of calls, as columns: node i is a call of `frames[i]` by node `parents[i]`, which precedes it; -1: by none */
export interface ProfileTree {
  /** @maxItems 5000 */
  frames: Count[];
  /** @maxItems 5000 */
  parents: Parent[];
  /**
   * of the node alone, and of the calls below it that the tree leaves out
   * @maxItems 5000
   */
  self: Amount[];
}

/** the values of a profile by operation of the flow; the rest of its total belongs to none, or is not known */
export interface ProfileOperations {
  /** `value` includes `direct`, which V8 recorded below the handler of a request; the largest first */
  rows: { name: string; value: Amount; direct: Amount }[];
  /** of requests of no operation */
  others: Amount;
  /** of functions that several operations call after an `await` or in a callback */
  shared: Amount;
}

/** the active time of the functions of the service, or their allocations, in the measured time */
export interface Profile {
  kind: ProfileKind;
  unit: 'ms' | 'B';
  /** sum of all samples, without idle time; of V8, this includes waiting for a CPU */
  total: Amount;
  /** that was recorded, ms */
  duration: Ms;
  /** that were recorded; each worker thread is an entry of its own */
  processes: { name: string; total: Amount; isWorker?: true }[];
  /**
   * of the tree, and others with much time of their own, the hottest first
   * @maxItems 5200
   */
  frames: ProfileFrame[];
  /** the calls with most time, at most 5,000 */
  tree: ProfileTree;
  /** of a Node service that got requests */
  operations?: ProfileOperations;
  /** CPU time that recording took, as a share of that of the service */
  overhead?: Share;
  /** of the raw profile, as V8 recorded it */
  files?: string[];
}

/** a function of both sides of a comparison; values are per request */
export interface ComparedFunction extends ProfileFunction {
  /** the function of the service that called it; absent: it is one itself, or there is none */
  by?: ProfileFunction;
  base: Amount;
  new: Amount;
}

/** the profiles of two sides of a comparison; values are per request, so that the length of the runs does not count */
export interface ComparedProfile {
  kind: ProfileKind;
  unit: Profile['unit'];
  /** per request */
  base: Amount;
  new: Amount;
  /** those whose own values changed most, the largest change first */
  functions: ComparedFunction[];
  /** @maxItems 5000 */
  frames: ProfileFunction[];
  /** the tree of both sides */
  tree: {
    /** @maxItems 5000 */
    frames: Count[];
    /** @maxItems 5000 */
    parents: Parent[];
    /** @maxItems 5000 */
    base: Amount[];
    /** @maxItems 5000 */
    new: Amount[];
  };
}
