import type { Problem, Problems } from '../../ground/types.js';
import type { NamedSource } from './load.js';

/** Types that files of lib/core/flow/source share. */

/** An entry that can be sent. */
export interface RecordedEntry {
  /** `log.entries[3]` */
  path: string;
  method: string;
  url: URL;
  request: Record<string, any>;
  /** of the recorded response; NaN if there is none */
  status: number;
  /** since the epoch; NaN if it is not recorded */
  startMs: number;
  /** from start to end; 0 if it is not recorded */
  timeMs: number;
}

/** A kind of document in JSON or YAML that is not a flow. */
export interface Dialect {
  name: string;
  /** one sentence for help */
  about: string;
  /** its document holds more than is sent, and the run options select */
  isRecording?: boolean;
  /** run options that its flows alone have; refusal: why another flow cannot have them */
  options?: { names: string[]; refusal: string };
  /** what the run options that do not come from the flow choose of its documents: plain data without secrets */
  select?: (options: Record<string, any>) => object;
  /** decides by a marker of the format, never true for a flow */
  recognizes: (value: any) => boolean;
  /** the raw flow, or a promise of it; it adds a problem for each part that it cannot translate */
  toFlow: (value: any, problems: Problems, context: DialectContext) => unknown;
}

/** Texts of other tools that are flows. */
export interface FlowText {
  /** those that -e takes */
  inArgument: string[];
  /** explains a script of another tool that cannot be a flow; undefined: it is none that it knows */
  explain?: (text: string, path: string) => { path?: string; reason: string; cure: string } | undefined;
  load: () => Promise<{
    /** recognizes a text; undefined: it is none of these */
    textSourceOf: (text: string, name: string) => string | undefined;
    readImported: (
      name: string,
      text: string,
      place: { from: string; folder: string; cwd: string; findings?: FlowFindings },
    ) => Promise<unknown>;
  }>;
}

export interface DialectContext {
  /** what its `select` returned */
  selection: any;
  /** absolute path, or a name of the source */
  from: string;
  cwd: string;
  /** reports the parts of the document that are not in the flow */
  notice: (text: string) => void;
}

/**
 * A source that `load.js` has located: one of `argument`, `evaluate`, `bytes` and `urls` is there, and says which kind
 * it is.
 */
export interface FormatSource {
  /** absolute path, URL, `-e` or `standard input`: messages name it */
  from: string;
  cwd: string;
  /** time limit of a module */
  limitMs: number;
  /** of the command line */
  argument?: string;
  /** absolute, of the argument; only if the file exists */
  path?: string;
  /** of the argument, lower case, with its dot */
  extension?: string;
  /** a format reads files with this extension */
  isFlowName?: boolean;
  /** content of the file */
  text?: string;
  /** for a function that returns the flow */
  args?: Record<string, unknown>;
  /** the text of -e */
  evaluate?: string;
  /** what standard input had */
  bytes?: Uint8Array;
  /** URLs, or paths of the base URL */
  urls?: string[];
  /** what the run options choose of documents */
  selection?: object;
  /** gets what a reader finds out beside the flow */
  findings?: FlowFindings;
}

export interface FlowFindings {
  /** the flow is a recording */
  isRecording: boolean;
  /** to print: what is not in the flow */
  notices: string[];
  /** adds file, line and column to the paths of problems of the flow, if its source is a document */
  locate?: (problems: Problem[]) => void;
}

/** Resolves with the raw flow; rejects with E_USAGE or E_FLOW_FILE. */
export type FlowReader = (source: FormatSource) => Promise<unknown>;

export interface FlowFormat {
  name: string;
  /** one sentence for help */
  about: string;
  /** of its files, lower case: it accepts all of these */
  extensions: string[];
  /** reports whether it reads a source for another reason than the extension of its file, whose text is not read yet */
  accepts?: (source: FormatSource) => boolean;
  load: () => Promise<{ read: FlowReader }>;
}

/**
 * `request`: properties that the command line adds to the operations of URLs; `selection`: what of a document is
 * sent.
 */
export type FlowInput = NamedSource & { request?: RequestProperties; selection?: object };

/** Properties of an operation, beside its URL. */
export type RequestProperties = Record<string, any>;
