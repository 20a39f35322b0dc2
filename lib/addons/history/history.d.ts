import type { ComparedFigure } from '../compare/comparison.js';
import type { Note, RunInfo, SavedOutcome, Tool, Validity } from '../../core/contracts/stats.js';

/**
 * What bench-rest history --format json prints. Times are milliseconds.
 * @title A history of results of bench-rest
 * @experimental
 */
export interface History {
  /** address of the JSON Schema */
  $schema: string;
  type: 'history';
  schemaVersion: number;
  /** what wrote it */
  tool: Tool;
  /** whether the newest results are no change for the worse */
  outcome: SavedOutcome;
  message: string;
  /** why the newest version could not be judged */
  notes: Note[];
  groups: HistoryGroup[];
  leftOut: LeftOut[];
}

/** results of one flow and load, with the same options, on the same machine */
export interface HistoryGroup {
  /** flow, load and target */
  name: string;
  machine: string;
  /** what its results have in common, in words */
  setting: Record<string, string>;
  /** what distinguishes it from the other groups, other than name and machine */
  differs: string[];
  /** in the order of time, those of a version together */
  results: HistoryResult[];
  figures: TrendFigure[];
  changes: (Change & { message: string })[];
  /** the newest version beside the earlier results; null: there are no earlier ones */
  newest: (Newest & { from: Index; message: string }) | null;
  /** what changed beside the service */
  notes: Note[];
}

/**
 * of a result in its group, from 0
 * @integer
 * @minimum 0
 */
export type Index = number;

/** a result in a history */
export interface HistoryResult {
  file: string;
  id?: string;
  /** when the measurement began, which may be later than the run */
  startedAt: string;
  /** of its version: the label, the commit, or else the time */
  name: string;
  label?: string;
  git?: RunInfo['git'];
  tool: Tool;
  runtime: string;
  validity: Pick<Validity, 'status'>;
  figures: Record<string, number | null>;
}

/** a file that is in no group */
export interface LeftOut extends Note {
  file: string;
  startedAt?: string;
  label?: string;
}

/** a figure over the results */
export interface TrendFigure {
  figure: string;
  unit: string;
  /** one standard deviation, as a share; null: not known */
  noise: number | null;
  levels: Level[];
}

/** of a figure between two change points */
export interface Level {
  /** the first result */
  from: Index;
  /** after the last one */
  to: Index;
  /** geometric mean */
  value: number;
  /** of its 95 % confidence interval; null: the noise is not known */
  low: number | null;
  high: number | null;
}

/** of the level of a history */
export interface Change {
  /** the first result after it */
  at: Index;
  /** of the test */
  p: number;
  verdict: 'better' | 'worse' | 'mixed';
  /** that have changed, the most significant first */
  figures: ComparedFigure[];
}

/** how the newest results differ from the last level */
export interface Newest {
  /** `unknown` if it cannot tell */
  verdict: ComparedFigure['verdict'];
  /** why it cannot tell */
  reason?: Note;
  /** that it was compared with */
  runs: Index;
  figures: ComparedFigure[];
}
