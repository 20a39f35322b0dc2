import type { IntervalCounts, Tick } from '../contracts/run.js';
import type { Result, RunInfo, RunLoad, Stats } from '../contracts/stats.js';
import type { ErrorSample, HistogramSummary } from '../contracts/summaries.js';
import type { Beside } from '../ground/addons.js';
import type { Verdict } from '../measure/outcome.js';
import type { Glyphs } from './terminal.js';
import type { Cell, Column, Paint, Style, TimeScale } from './text/layout.js';

/** Types that files of lib/core/report share. */

export type { Result, RunInfo, RunLoad };

/** Rising times, and how many values lie at or below each. */
export type PercentileDistribution = { ms: number; upTo: number }[];

/** Decodes the counts of a histogram, which not every format needs. */
export type DistributionOf = (which: 'completed' | 'serviceTime') => PercentileDistribution;

export interface RenderOptions {
  color?: boolean;
  /** columns of a line */
  width?: number;
  /** false: ASCII, for a locale that is not UTF-8 */
  unicode?: boolean;
  /** print everything: connections, bytes, load generator, servers, distributions */
  full?: boolean;
  /** print the full percentile distribution */
  fullDistribution?: boolean;
  /** print only errors and failed thresholds */
  quiet?: boolean;
  /** files that the result was written to */
  files?: string[];
  distributionOf?: DistributionOf;
}

export type Render = (result: Result, options?: RenderOptions) => string;

export interface Reporter {
  name: string;
  /** one sentence for help */
  about: string;
  /** of its files */
  extension: string;
  /** its files hold the result as JSON, a page too, which escapes texts by itself */
  isJson?: boolean;
  /** it gets no percentiles that too few values support */
  isForPeople?: boolean;
  /** its place among the formats of other add-ons: lower ones come first; default: 0 */
  rank?: number;
  load: () => Promise<{ render: Render }>;
}

/** Adds a hint to the message of a group of errors, or nothing: an empty text. */
export interface ErrorHint {
  of: (group: ErrorSample, requests: Partial<Result['requests']>) => string;
}

/** A section of reports. Only results that it suits load its module. */
export interface OfferedSection {
  name: string;
  suits: (result: Result) => boolean;
  /** its place among the sections of the text, and which short reports have it, too */
  text?: Beside & {
    /** of a full report alone */
    isFull?: boolean;
    /** of a quiet run */
    isQuiet?: boolean;
    /** of a run that got no answer */
    isFailure?: boolean;
    /** the report is as long as it needs to be */
    isLong?: boolean;
    /** no empty line separates it from the section before */
    isAttached?: boolean;
  };
  markdown?: Beside;
  /** its place among the sections of the page, and its heading there */
  page?: Beside & { heading: string };
  load: () => {
    blocksOf?: (result: Result, options: BlockOptions) => Block[];
    /** for formats that programs read, such as CSV */
    recordsOf?: (result: Result) => DataRecord[];
  };
}

/** The results so far, as a display gets them. */
export type LiveStats = Pick<Stats, 'series'> & Partial<Stats>;

/** Texts that an add-on adds to the displays of a run in progress. */
export interface OfferedTexts extends Beside {
  name: string;
  suits: (stats: LiveStats) => boolean;
  load: () => { textsOf: TextsOfParts };
}

/**
 * The last interval of each part of the run that the texts are about: `visits`, with `199/s` and `p99 3.1 ms`. isIdle:
 * an interval that began at `from` is too old to show.
 */
export type TextsOfParts = (
  stats: LiveStats,
  isIdle: (from: number, interval: number) => boolean,
) => { name: string; figures: string[] }[];

/** What a section may need to know of the format that prints it. */
export interface BlockOptions {
  format: 'text' | 'markdown' | 'page';
  glyphs: Glyphs;
  scale: TimeScale;
  paint: Paint;
  width: number;
  quiet: boolean;
  full: boolean;
}

/** A piece of a section, in this order; each format prints it in its way. Colors that warn are bold in Markdown. */
export interface Block {
  /** in Markdown a heading of this level, or else the head of the first column, if there are rows */
  title?: { text: string; style?: Style | Style[]; level?: number };
  /** lines that are laid out already */
  plain?: string[];
  lines?: { name?: string; text: string; style?: Style }[];
  columns?: Column[];
  /** state: of a cell that has its mark */
  rows?: (Cell | { text: string; state: Verdict })[][];
  /** what Markdown and pages show in place of the table, which they unfold */
  folded?: string;
  /** a table of times, whose columns each format chooses */
  times?: { head: string; rows: { name: string; summary: HistogramSummary }[] };
  remarks?: { name?: string; text: string }[];
  /** link: a trace at its end */
  list?: { text: string; style?: Style; link?: { id: string; link?: string } }[];
}

/** A row of CSV. */
export interface DataRecord {
  kind: string;
  name: string;
  count?: number;
  errors?: number | null;
  rate?: number | null;
  times?: HistogramSummary | null;
}

/** Shows the progress of a run on stderr. */
export interface Display {
  name: string;
  /** one sentence for help */
  about: string;
  /**
   * `isForPrograms`: stdout gets a format that programs read; `screen`: whether the user wants the whole screen, by
   * default never
   */
  suits: (io: {
    stderr: NodeJS.WriteStream;
    env: Record<string, string | undefined>;
    isForPrograms: boolean;
    screen?: 'auto' | 'always' | 'never';
  }) => boolean;
  /** it shows the response times of each interval */
  needsIntervals?: boolean;
  /** its place among the displays of other add-ons: lower ones come first; default: 0 */
  rank?: number;
  load: () => Promise<{ start: StartDisplay }>;
}

export interface LiveDisplay {
  tick: (tick: Tick) => void;
  /** the results so far, and the intervals that are new; the first error of each group is printed */
  state: (stats: Stats, intervals?: IntervalCounts[]) => void;
  /** prints lines that stay */
  print: (text: string) => void;
  /** clears the display */
  stop: () => void;
}

export interface DisplayContext {
  stderr: NodeJS.WriteStream;
  color: boolean;
  unicode: boolean;
  /** duration of the run; Infinity if something else ends it */
  totalMs: number;
  /** name of the run, if it is one of several */
  title?: string;
  /** of the run: its name, and the load with its target */
  head?: { title: string; subtitle: string };
  /** lines that were printed before, such as the address of a dashboard */
  notices?: string[];
  /** the environment, which tells the number of colors */
  env?: Record<string, string | undefined>;
  /** the user wants this display, however short the run is */
  isWanted?: boolean;
  /** groups of errors that another display has printed */
  errors?: import('./live/live-figures.js').FirstErrors;
  /** time between two lines of a log, if the user has set it */
  everyMs?: number;
  /** a program owns the process: a signal may end it before the display restores a terminal, so it changes no mode */
  isGuest?: boolean;
}

export type StartDisplay = (context: DisplayContext) => LiveDisplay;
