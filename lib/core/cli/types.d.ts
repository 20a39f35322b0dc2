import type { Command } from 'commander';
import type { RunOptions } from '../contracts/run-options.js';
import type { PlanSummary } from '../contracts/run.js';
import type { Note, Stats } from '../contracts/stats.js';
import type { FlowInput } from '../flow/source/types.js';
import type { RawFlow } from '../flow/types.js';
import type { Reason } from '../ground/exit-codes.js';
import type { number } from '../ground/shape.js';
import type { Demands } from '../measure/outcome.js';
import type { Result, RunInfo } from '../report/types.js';
import type { HelpPlace, Layer, RunOption } from '../run/options/types.js';
import type { LoadLimits } from '../run/load/request-limits.js';
import type { Runner } from '../run/types.js';
import type { CommandAbout } from './commands/index.js';
import type { RunSettings } from './commands/run.js';
import type { Engine } from './engine/engine.js';
import type { Shutdown } from './exit-process.js';
import type { RunView } from './run/run-view.js';

/** Types that files of lib/core/cli share. */

/** A saved document other than a result. */
export interface DocumentEntry {
  load: () => Promise<{
    /** null: the file is none */
    read: (path: string, cwd: string) => any;
    report: (document: any, request: { path: string } & Demands & OutputOptions, io: Io) => Promise<Iterable<Reason>>;
  }>;
}

/** What `bench-rest list <url>` prints about a server. */
export interface OfferedListing {
  /** of its URLs, without the s of those with TLS */
  scheme: string;
  about: string;
  /** options: header fields and TLS */
  load: () => Promise<{ listOfUrl: (url: URL, options: Partial<RunOptions>) => string }>;
}

/** A flag that is no run option. */
export type Flag = Partial<RunOption> & Pick<RunOption, 'flag' | 'about'>;

/** What refuses runs that others ask for, if they would use more than they may. */
export interface BoundsEntry {
  load: () => Promise<BoundsModule>;
}

export interface BoundsModule {
  /** layers: weakest first; own: the name of those of the command; throws E_RUN_OPTIONS with all problems */
  refuseBeyond: (bounds: NonNullable<EngineRequest['bounds']>, run: PlannedRun) => LoadLimits;
}

/** A run as it is planned. */
export interface PlannedRun {
  summary: PlanSummary | null;
  layers: Layer[];
  flow: Pick<RawFlow, 'scenarios'>;
  own: string;
}

/** What prints something about a run in its place. */
export interface PreviewEntry {
  /** of the option of commander that its flag sets */
  name: string;
  flag: string;
  about: string;
  inHelp?: HelpPlace;
  load: () => Promise<
    (request: RunRequest & { source: FlowInput; layers: Layer[] }, config: Config, io: Io) => Promise<Iterable<Reason>>
  >;
}

/** A flag that describes the request of a URL. */
export interface UrlFlag {
  /** of the option of commander that it sets, and of the property of the operation */
  name: string;
  flag: string;
  about: string;
  inHelp?: HelpPlace;
  read: (text: string, earlier?: any) => unknown;
  /** messages do not quote its argument */
  isSecret?: true;
  /**
   * returns properties of the operation, of a flag that has a body; `usageError` creates the error for flags that do
   * not fit together; default: the property of its name
   */
  propertiesOf?: (
    value: any,
    options: Record<string, any>,
    usageError: (problem: string) => Error,
  ) => Record<string, unknown>;
  /** makes the URL of a server that is named with the flag; absent: the flag is a property of the operation */
  urlOf?: (text: string, value: any) => string;
  /** the command with the flag, for messages */
  example?: string;
}

/** What accompanies a run of the command. */
export interface CompanionEntry {
  name: string;
  /** of its flags in the help */
  group: string;
  flags: () => Flag[];
  /** it is the service that relative URLs request */
  isTarget?: true;
  /** why a run cannot have it that another runner performs; completes its flag, which has its name */
  refusedElsewhere?: string;
  /** returns its settings; null: no flag asks for it. `refuse` throws E_USAGE */
  read: (
    options: Record<string, any>,
    context: { runOptions: Partial<RunOptions>; flows: string[]; refuse: (problem: string) => void },
  ) => unknown;
  load: () => Promise<CompanionModule>;
}

export type WantedCompanion = CompanionEntry & { settings: unknown };

export interface CompanionModule {
  open: (settings: any, context: { cwd: string; io: Io; shutdown: Shutdown }) => Promise<Companion>;
}

export interface Companion {
  /** run options, above the flags */
  layer?: Layer;
  /** a line that is printed before the run */
  notice?: string;
  /** returns what people have to know before the run */
  onBegin?: (run: RunInfo) => Note[];
  /** gets the result so far, and the share of the run that is over */
  onState?: (result: Result, share: number) => void;
  /** adds to a result before it is printed */
  addTo?: (stats: Stats, run?: RunInfo) => Stats;
  /** gets the printed result, and the files that have it */
  onResult?: (result: Result, files: string[]) => void;
}

/** A word that divides the arguments of the command. */
export interface Separator {
  word: string;
  load: () => SeparatorModule;
}

export interface SeparatorModule {
  /**
   * adds the arguments after each such word to the request of those before the first one; throws E_USAGE. program: has
   * the flags of all commands
   */
  withParts: (request: any, further: string[][], program: Command) => RunRequest;
}

/** Performs runs of the command elsewhere than in this process. */
export interface RunnerEntry {
  /** reports whether options of these names, which the command line and the configuration file set, may choose it */
  suits: (names: string[]) => boolean;
  load: () => Promise<RunnerModule>;
}

export interface RunnerModule {
  /** null: this process performs the run; throws E_USAGE */
  runnerOf: (
    request: Pick<RunRequest, 'runOptions'> & Partial<Pick<RunRequest, 'companions' | 'debug'>>,
    config: Pick<Config, 'options'>,
    env: NodeJS.ProcessEnv,
  ) => OtherRunner | null;
}

export interface OtherRunner {
  /** how many shards it makes of a run: each needs a virtual user */
  shards: number;
  open: (
    request: Pick<EngineRequest, 'source' | 'cwd' | 'config' | 'commandLine' | 'runLabel'>,
    view: EngineView,
  ) => Promise<CommandRunner>;
}

/** A run, as the command leads it. */
export type CommandRunner = Runner & Pick<Engine, 'lastKeeperOutput'>;

/** What the thread of the command keeps for the threads of runs, which may be blocked. It is loaded at once. */
export interface KeeperEntry {
  name: string;
  load: () => {
    /** reads a message of a thread; throws if it is none: code of a flow can post any */
    read: (message: unknown) => any;
    open: () => Keeper;
  };
}

export interface Keeper {
  /** receives a message of the thread of a run; cwd: its working folder, post: answers it */
  receive: (message: any, thread: { cwd: string; post: (message: object) => void }) => void;
  /** how it ended by itself; empty: it did not */
  lastOutput: () => Promise<string>;
  end: (isAborted: boolean) => Promise<void>;
}

/** What a run of the command emits, and prints. */
export type EngineView = Pick<
  RunView,
  'log' | 'notice' | 'onBegin' | 'onProgress' | 'onExchange' | 'onTick' | 'onState'
>;

export type LoadedCommand = CommandAbout & Partial<CommandModule>;

export interface CommandModule {
  /** adds arguments, flags and an action; the action submits the request, or throws E_USAGE */
  declare: (command: Command, context: CommandContext) => void;
  /**
   * returns the reasons for an exit code other than 0, or the exit code of a command that it ran. It loads what only
   * this command needs
   */
  run: (request: any, io: Io, shutdown: Shutdown) => Promise<Iterable<Reason> | number>;
}

export interface CommandContext {
  env: NodeJS.ProcessEnv;
  /** those after `--`, for a command with `takesWords` */
  words: () => string[];
  submit: <R extends CommandRequest>(request: R) => void;
}

/** `command`: name of the entry; `warnings` are printed before it runs. */
export type CommandRequest = { command: string; warnings?: string[] };

export type RunRequest = RunSettings & Demands & OutputOptions;

export interface Config {
  /** of the file; null if there is none */
  path: string | null;
  /** run options */
  options: Partial<RunOptions>;
  /** a URL, or a path that is relative to the file */
  flow?: string;
  /** the user named the file */
  isNamed?: boolean;
  format?: string;
  outputs?: string[];
  /** why files are ignored */
  warnings: string[];
}

export interface EngineRequest {
  source: FlowInput;
  cwd: string;
  /** run options of the configuration file */
  config: Layer;
  /** run options of flags, weakest first */
  commandLine: Layer[];
  /** run one iteration and post every exchange */
  debug: boolean;
  /** files of the result, which nothing else that the run writes may replace */
  outputs?: string[];
  /** part of the names of files that the run writes, if several runs have these options */
  runLabel?: string;
  /** post where the run is, several times per second */
  ticks?: boolean;
  /** post the response times of each interval */
  intervals?: boolean;
  /**
   * of a run on several machines: the states have the counts of histograms, one each `keepMs`, and the measured
   * iterations start when {@link Engine.startAt} is called
   */
  asShard?: { keepMs: number };
  /**
   * what the run may use at most; `plansOnly`: post its plan, and do not run it; `refused`: options that it may not
   * have, with reasons
   */
  bounds?: RunBounds & { plansOnly?: boolean; refused?: Record<string, string> };
}

/** The limits of a run that others ask for; Infinity: none. */
export interface RunBounds {
  /** longest warm-up and planned time together, ms */
  duration: number;
  /** most requests in flight: virtual users, times those that each sends at once (pipelining) */
  users: number;
  /** most requests per second, and highest planned arrival rate, per second */
  rate: number;
  requests: number;
  /** sent and received */
  bytes: number;
}

/** Where a result is written, and in which format. */
export interface OutputOptions {
  /** name of a reporter; default: text */
  format?: string;
  /** paths of files */
  outputs: string[];
  /** print everything */
  full: boolean;
  /** print the full percentile distribution */
  latency: boolean;
  /** print only errors and failed thresholds */
  quiet: boolean;
  color: ColorChoice;
}

/** The part of the process that the command uses; tests pass their own. */
export type Io = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd' | 'on' | 'off'>;

/** The value of --color. */
export type ColorChoice = 'auto' | 'always' | 'never';

/** The facts about a run at its start. */
export interface RunStart {
  plan: PlanSummary;
  /** source of the flow: a path, a URL, `standard input` */
  from: string;
  /** SHA-256 of the flow */
  hash: string;
}

/** A format of files, of which results and other documents have different ones. */
export type FileFormat = {
  name: string;
  extension: string;
  load: () => Promise<{ render: (value: any, options?: any) => string }>;
};

/** A file that is written in parts. The file that exists stays until `commit`. */
export interface PendingFile {
  append: (text: string) => void;
  /** replaces the target by the file */
  commit: () => void;
  discard: () => void;
}
