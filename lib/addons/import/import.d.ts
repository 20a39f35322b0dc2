/** The model between the sources that `bench-rest import` and `bench-rest record` read and the flow that they write. */

/** A flow before it is written: plain values, and what a person should know about them. */
export interface FlowDraft {
  /** for the head of the flow: what it was made of, what was guessed; one sentence each, without comment signs */
  comments: string[];
  baseUrl?: string;
  /** further properties of the flow, between baseUrl and the phases: headers, vars, data, thresholds, runOptions */
  properties?: Record<string, unknown>;
  phases: DraftPhases;
  /** in place of main: scenarios by their names, each with the phases of its iterations */
  scenarios?: Record<string, DraftScenario>;
  /** the environment variables that the flow reads as #{env.NAME}, in the order of their use */
  environment: EnvironmentVariable[];
  /** the parts of the source that the flow lacks; the command prints them */
  skipped: { what: string; why: string }[];
  /** remarks on the translation, which the command prints: an option without an equivalent, a default */
  dialectNotes: string[];
  /** flags that a run of the flow needs; the command prints them */
  runFlags?: string;
  /** its tokens are ours alone: see settle() of lib/addons/import/tokens.js */
  isSettled?: boolean;
}

export interface DraftPhases {
  before: OperationDraft[];
  beforeMain: OperationDraft[];
  main: OperationDraft[];
  afterMain: OperationDraft[];
  after: OperationDraft[];
}

export type DraftScenario = { weight?: number; load?: Record<string, unknown>; startAfter?: string } & Partial<
  Pick<DraftPhases, 'beforeMain' | 'main' | 'afterMain'>
>;

export interface OperationDraft {
  /** as in flow.schema.json: JSON values, and Uint8Array where bytes are no plain text */
  operation: Record<string, any>;
  /** written above it, one sentence each */
  comments: string[];
  /** further names of its fields and parameters whose values are secrets: those of an API key */
  secrets?: string[];
  /** why it is written commented out; it is skipped in JSON, which has no comments */
  disabled?: string;
}

export interface EnvironmentVariable {
  /** `API_KEY` */
  name: string;
  /** what it is: `the field X-Api-Key of GET /items` */
  of: string;
}

/** Where a source is read, and how. */
export interface ImportOptions {
  /** the path of the source, or `standard input` or `-e` */
  from: string;
  /** folder of relative paths in the source */
  folder: string;
  /** working directory, where some tools look for files; default: folder */
  cwd?: string;
  /** folder of the flow, which its relative paths start at; default: folder */
  flowFolder?: string;
  /** write the secrets of the source into the flow */
  keepSecrets?: boolean;
  /** the base URL of the flow, in place of that of the source */
  baseUrl?: string;
  /** options of single sources, by the names of their flags in camelCase */
  [name: string]: unknown;
}

/** A kind of document that becomes a flow: one row of the table of sources. */
export interface ImportSource {
  name: string;
  /** one sentence for help: noun phrase, lower case */
  about: string;
  /** reports whether a text is of this source, by a marker of its format, never true for a flow; name: of its file */
  detect: (text: string, name: string) => boolean;
  /** the flags of `bench-rest import` that only this source reads */
  flags?: ImportFlag[];
  /** its documents are large: it is detected by their beginning, and `readBytes` needs no text */
  readsBytes?: boolean;
  load: () => Promise<{ read: ImportReader; readBytes?: BytesReader; supported: Supported[] }>;
}

/** Its value is in {@link ImportOptions}, under its name in camelCase. */
export interface ImportFlag {
  /** `--tag <name>` */
  flag: string;
  about: string;
  repeatable?: boolean;
}

/** Throws E_FLOW_FILE if the text is damaged or has nothing that can be sent. */
export type ImportReader = (text: string, options: ImportOptions) => FlowDraft | Promise<FlowDraft>;

/** Reads the bytes of a source as {@link ImportReader} reads its text. */
export type BytesReader = (bytes: Buffer, options: ImportOptions) => FlowDraft | Promise<FlowDraft>;

/** A part of a source, and its equivalent: a row of docs/reference/importing.md. */
export interface Supported {
  /** `-H, --header` */
  part: string;
  /** its equivalent in a flow; null: it is named and left out */
  becomes: string | null;
}

/** Run options that decide what of a recording is sent. */
export interface RecordingOptions {
  /** send the recorded cookies */
  cookies?: boolean;
  /** pause as long as the recording did */
  timing?: boolean;
  /** where its requests are sent */
  baseUrl?: string;
  /** names of the fields that the run sets */
  headers?: string[];
}
