import type { CapacityConclusion, CapacityStep } from './capacity.js';

/** What the search knows about a step. */
export interface SearchStep {
  /** iterations per second, or virtual users */
  load: number;
  role: Role;
  verdict: CapacityStep['outcome']['status'];
  /** the load generator lacked CPU, which may be why the step did not pass */
  isStarved?: boolean;
  /** the load was sent in spite of that, so that only figures are in doubt */
  isApplied?: boolean;
  /** it failed because of a few failed iterations only */
  isChance?: boolean;
  /** far more than the service can do, so that it may need time to recover */
  isOverloaded: boolean;
  /** the load that the service coped with, if it was less than the load of the step */
  held: number | null;
  /** the worst figure of a threshold, as a share of its bound; null without such figures */
  strain: number | null;
  /** response time, ms */
  median: number | null;
}

/** settling: a low load after an overload, until the service has recovered */
export type Role = 'search' | 'confirmation' | 'settling';

export interface SearchOptions {
  /** load of the first step */
  from: number;
  /** precision, as a share of the load */
  within: number;
  maxSteps: number;
  /** the lowest load whose steps have enough iterations */
  least?: number;
  /** loads are whole numbers */
  isWhole?: boolean;
}

export interface Answer {
  outcome: CapacityConclusion['code'];
  /** the highest one that holds; null: none */
  load: number | null;
  /** of the interval */
  low: number;
  /** null: not known */
  high: number | null;
  /** it held twice */
  isConfirmed: boolean;
}

export interface NextStep {
  load: number;
  role: Role;
  /** it takes twice as long: close to the answer, chance decides about a short step */
  isFine?: boolean;
}
