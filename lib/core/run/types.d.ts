import type { Clock } from '../contracts/clock.js';
import type { TransportEntry, TransportTotals } from '../contracts/connection.js';
import type { RunOptions } from '../contracts/run-options.js';
import type { IntervalCounts, Pacing, PlanSummary, Tick } from '../contracts/run.js';
import type { Schedule, ScheduleEntry, ScheduleOptions, SideLoad } from '../contracts/schedule.js';
import type { LogFileSummary, Stats } from '../contracts/stats.js';
import type { CompiledFlow, Step } from '../contracts/step.js';
import type { EndReason } from '../ground/end-reasons.js';
import type { Phase } from '../ground/phases.js';
import type { Problem, Problems } from '../ground/types.js';
import type { Feeders } from '../flow/data/feeders.js';
import type { FlowInput } from '../flow/source/types.js';
import type { LiveFlow } from '../flow/live-flow.js';
import type { RawScenario, ReadFlow } from '../flow/types.js';
import type { Send } from '../iteration/exchange-record.js';
import type { EndListener } from '../iteration/iteration-run.js';
import type { PreparedIteration } from '../iteration/iteration.js';
import type { Lane } from '../iteration/lane.js';
import type { Recorder } from '../measure/recorder.js';
import type { RecorderState } from '../measure/state.js';
import type { RunContext } from '../measure/summary.js';
import type { Arrivals } from './load/arrivals.js';
import type { createContext } from './load/before-start.js';
import type { Ending } from './load/ending.js';
import type { Pacer } from './load/pacer.js';
import type { Stride } from './options/shard.js';
import type { Run, RunResult, StopOptions } from './run.js';
import type { CancelledCounts } from './workers/worker-handle.js';

/** Types that files of lib/core/run share. */

/** A source that another thread can read the flow from. args: for a flow that is a function. */
export type FlowSource = (FlowInput & { cwd?: string; args?: Record<string, unknown> }) | { data: unknown };

export interface FlowOrigin {
  /** null if the flow cannot leave this thread */
  source: FlowSource | null;
  /** the flow was read from a recording */
  isRecording?: boolean;
  /** why there is no source: `flow.main[0].afterHooks[1] is a function` */
  uncloneable: string | null;
  /** of relative paths in the flow; default: the working directory */
  folder?: string;
  /** adds file, line and column to the paths of its problems */
  locate?: (problems: Problem[]) => void;
}

/** A flow whose source was read. */
export interface OpenFlow {
  /** as the source has it */
  raw: unknown;
  /** ready to be compiled */
  read: ReadFlow;
  origin: FlowOrigin & { folder: string };
  /** absolute path, URLs, `-e` or `standard input` */
  from: string;
  /** of the source */
  notices: string[];
}

/** Hands out the INDEX of iterations: each one once. */
export interface IndexAllocator {
  /** indexes handed out or skipped */
  count: () => number;
  next: () => number;
  /** drops `from` up to, not including, `to`; false if another thread has taken one of them meanwhile */
  skip: (from: number, to: number) => boolean;
}

export type WarmUpResult = { iterations: number; errors: number };

export interface LanesOptions {
  /** instant of the clock */
  start: number;
  schedule: Schedule;
  lanes: Lane[];
  /** this thread's share of a number of lanes */
  shareOf: (count: number) => number;
  arrivals: Pick<Arrivals, 'next' | 'hasNext' | 'due'>;
  ending: Pick<Ending, 'isOver' | 'onStop'>;
  pacer: Pick<Pacer, 'until' | 'wakeAll'>;
  clock: Clock;
  /** due: instant of the clock, NaN in a closed model; wasIdle: the lane was free at that instant */
  perform: (index: number, lane: Lane, due: number, wasIdle: boolean, listener: EndListener) => void;
  /** iterations of a virtual user, after which its lanes are done */
  mostOfLane?: number;
  /** think time of a lane between iterations */
  pauseMs?: (() => number) | null;
  /** requests of a lane have a maximum rate */
  isPaced?: boolean;
}

/** Wakes the event loop shortly before an instant. */
export interface Alarm {
  /** how long before; 0: not before it, Infinity: the event loop never sleeps */
  leadMs: number;
  /** at: instant of the clock; returns a function that cancels */
  set: (at: number, wake: () => void) => () => void;
}

/**
 * Memory that load threads share with the thread that wakes them. Each load thread writes the instant that it waits
 * for.
 */
export interface PacingMemory {
  /**
   * counts alarms of all threads; 1 when the thread shall end; for each load thread the alarms that it has set, and how
   * often it was woken
   */
  words: Int32Array;
  /** for each load thread that of its last alarm, common time */
  instants: Float64Array;
}

/** What acts on each request as it is sent, in runs that it suits: it wraps the function that sends. */
export interface SenderEntry {
  suits: (options: RunOptions) => boolean;
  load: () => (options: RunOptions) => (send: Send) => Send;
}

/** A log of all requests, opened by each thread that sends some if it suits the options of the run. */
export interface RequestLogEntry {
  suits: (options: RunOptions) => boolean;
  load: () => Promise<{ open: (options: RunOptions, thread: LogThread) => Promise<RequestLog> }>;
}

export interface LogThread {
  /** number of the thread, from 0 */
  worker: number;
  /** false: the main thread, whose file has no number */
  isWorker: boolean;
}

export interface RequestLog {
  /** sends the requests of a step, and logs them */
  senderOf: (step: Step, send: Send) => Send;
  /** the measured iterations begin, an instant of the clock */
  begin: (origin: number) => void;
  toJSON: () => LogFileSummary;
  close: () => Promise<void>;
}

/**
 * One of the loads of a run, which run side by side: virtual users with a schedule. A plain run has one. Its
 * iteration n has INDEX n * of + position.
 */
export interface Load {
  name: string;
  /** its position among the loads, from 0 */
  position: number;
  /** how many loads the run has */
  of: number;
  /** its start, ms after that of the run, or after the end of another load */
  from: number;
  /** the position of that load, whose end is not planned; null: there is none */
  after: number | null;
  /** false: it goes on until the loads that have an end have ended */
  hasEnd: boolean;
  options: LoadOptions;
  profile: ScheduleEntry;
  /** from its start on */
  schedule: Schedule;
  /** null: there is no warm-up */
  warmUp: Schedule | null;
}

/** The options that each load of a run has by itself. */
export type LoadOptions = ScheduleOptions & Pick<SideLoad, 'pause' | 'maxBacklog' | 'iterationsOfLane' | 'requests'>;

/** A load as one thread generates it. The run itself has recorder, ending and pacer of its only load. */
export interface ThreadLoad {
  load: Load;
  /** what its iterations perform */
  flow: CompiledFlow;
  indexes: IndexAllocator;
  context: ReturnType<typeof createContext>;
  iteration: PreparedIteration;
  recorder: Recorder;
  ending: Ending;
  pacer: Pick<Pacer, 'until' | 'wakeAll'>;
}

/** What the options of a run ask for, of which each shard has a part. */
export interface PlannedLoad {
  /** until when its iterations are due; Infinity if only a number of them, or a stop, ends it */
  ms: number;
  /** iterations of a shard that are due by then; null: only a time ends the run, so they have no number */
  count: (shard: number, ms: number) => number | null;
  /** virtual users of a shard, or of a part of one */
  users: (part: { number: number; of: number }) => number;
  /** the highest rate of a ramp, iterations per second */
  peakRate?: number;
  /** those of several, by name, each from its own start on; then they have the numbers */
  loads?: Record<string, PlannedLoad>;
}

/** The loads of a run, as one thread generates them. */
export interface LoadsOfThread {
  each: ThreadLoad[];
  /** binds what their iterations perform, if code may have changed it */
  bind: () => void;
  /** runs the measured iterations; `runOne` runs those of a load, from an instant of the clock on */
  run: (start: number, runOne: (load: ThreadLoad, start: number) => Promise<void>) => Promise<void>;
  /** adds what each of several loads has recorded since the last call to the figures of the run */
  collect: () => void;
  /** returns it; undefined: the thread has one load */
  drain: () => RecorderState[] | undefined;
  close: () => void;
}

/** What several loads use of the thread that generates them. */
export interface LoadThread {
  /** of its iterations */
  context: ReturnType<typeof createContext>;
  /** of the thread: what belongs to no load */
  recorder: Recorder;
  /** of the run */
  ending: Ending;
  pacer: Pacer;
  loadsMemory: SharedArrayBuffer;
  /** that generate the loads */
  threads: number;
  /** of each load */
  indexes: IndexAllocator[];
  /** of a load, which cancels its running iterations */
  openEnding: (place: number) => Ending;
  onError: (recorder: Recorder, error: Error, place: any) => void;
  /** gets what the loads have recorded since the last call; null: a worker, which is drained */
  onStates: ((states: RecorderState[]) => void) | null;
}

/** The figures of each load of a run with several. */
export interface FiguresOfLoads {
  /** the load of the run changes as planned */
  isRamped: boolean;
  /** adds what a thread has recorded of each load since the last call */
  add: (states: RecorderState[]) => void;
  /** counts iterations that a lost thread did not report */
  cancel: (place: number, counts: CancelledCounts) => void;
  /** the part of the run that is over, 0 to 1 */
  share: (elapsedMs: number) => number;
  summarize: (moment: LoadsMoment) => Pick<RunContext, 'loads' | 'planned' | 'plannedMs' | 'startGap' | 'doubts'>;
  close: () => void;
}

export type LoadsMoment = Pick<RunContext, 'measuredMs' | 'loadGenerator' | 'isOver' | 'withCounts'> & {
  ending: { stoppedMs: number; why: string | null };
};

/** What a run with several loads needs, which add-ons offer. */
export interface LoadsEntry {
  load: () => LoadsModule;
}

export interface LoadsModule {
  /** reads those of scenarios; returns options of the run that replace those of a single load */
  readLoads: (
    scenarios: RawScenario[],
    run: { options: Record<string, any>; given: Record<string, any>; origins: Record<string, string> },
    problems: Problems,
  ) => Partial<RunOptions>;
  /** plans them again, when it is known what ends them first */
  planAgain: (loads: SideLoad[], options: RunOptions) => SideLoad[];
  /** plans what shards have a part of; own: the plan of each load */
  planTogether: (loads: SideLoad[], own: PlannedLoad[]) => PlannedLoad;
  /** makes one schedule of them; end: of the run, ms */
  sideBySide: (loads: Load[], end?: number) => Schedule;
  /** creates the memory that all threads share */
  loadsMemory: (loads: number) => SharedArrayBuffer;
  openLoads: (plan: LoadPlan, thread: LoadThread) => LoadsOfThread;
  openFigures: (plan: LoadPlan, parts: { whole: Recorder; loadsMemory: SharedArrayBuffer }) => Promise<FiguresOfLoads>;
}

/** The part of the plan of a run that each thread creates itself: the input of a load generator. */
export interface LoadPlan {
  flow: CompiledFlow;
  /**
   * compiles phases again if code has changed the flow since (null: it has not); null: no code can; throws E_NO_MAIN,
   * E_FLOW and E_RUN_OPTIONS
   */
  recompile: ((phases: readonly Phase[]) => CompiledFlow | null) | null;
  options: RunOptions;
  loads: Load[];
  /** of the run: that of its only load, or of all of them side by side */
  schedule: Schedule;
  /** ms */
  warmUp: { duration: number } | null;
  /** null in a closed run */
  pacing: Pacing | null;
  /** of the shard */
  stride: Stride;
  transport: TransportEntry;
  /** of the flow */
  feeders: Feeders | null;
  /** a copy of the flow's `iterCtx`, for an iteration */
  createIterCtx: () => Record<string, any>;
  /** the variables of the run at its start */
  createVars: () => Record<string, any>;
}

/** A variable by which functions of several threads work together: each thread has its own. */
export interface SharedVariable {
  name: string;
  /** the place of a function */
  changedBy: string;
  /** the place of one that another thread runs */
  readBy: string;
  /** false: they may be two variables, or the flow may work with one in each thread */
  isSure: boolean;
}

/** Finds one in a flow, of which `readText` returns the text of its module; null: none is known. */
export type FindSharedVariable = (flow: Record<string, any>, readText: () => string) => SharedVariable | null;

/** The other part of the plan, of the main thread alone. */
export interface RunPlan {
  /** where workers read the flow from; null if it cannot be sent to a thread */
  source: FlowSource | null;
  /** the flow as code can change it; null: none can */
  live: LiveFlow | null;
  summary: Omit<PlanSummary, 'options'>;
  /** the flow's function that adds a section to reports */
  section: ((result: any) => unknown) | null;
}

/** A load that another thread or other machines run, controlled by this thread. */
export interface Runner {
  outcome: Promise<RunnerOutcome>;
  /** gracefully */
  stop: (reason: string, options?: StopOptions) => void;
  /** a second call does not wait for what it leads */
  abort: () => void;
  /** false: a thread is blocked and still exists */
  close: () => Promise<boolean>;
}

/** What may take part in a run beside its load: each is opened if it suits the options of the run. */
export interface ParticipantEntry {
  name: string;
  suits: (options: Record<string, any>) => boolean;
  /** reports what it cannot do; files: paths of those that it shall write */
  check?: (options: Record<string, any>, files: string[], problems: Problems) => void;
  /** of the files of results, those of this path are its own */
  writes?: (path: string) => boolean;
  load: () => Promise<{ open: (context: ParticipantContext) => Participant | Promise<Participant> }>;
}

export interface ParticipantContext {
  options: RunOptions;
  flow: CompiledFlow;
  service: Service;
  /** null: the run has not begun */
  counted: () => Counted | null;
  isAborted: () => boolean;
}

/** What takes part in a run: its methods are called at their moments. */
export interface Participant {
  /** performs all of the run, with the time before and after it */
  around?: (perform: () => Promise<RunResult>) => Promise<RunResult>;
  /** before the measured iterations; endMs: their planned length, Infinity: not known */
  prepare?: (endMs: number) => Promise<void>;
  /** the measured iterations begin */
  begin?: () => void;
  /** they have ended */
  end?: () => void;
  /** the run is aborted: discard everything */
  cancel?: () => void;
  /** adds to the stats of a run that was not aborted */
  result?: (stats: Stats) => Promise<void>;
}

/** What a run has counted so far, and what identifies it. */
export interface Counted {
  recorder: Recorder;
  traffic: TransportTotals;
  id: string;
  startedAt: Date;
  options: RunOptions;
}

/** The runner of a part of a run on several machines, whose measured iterations start at a common time. */
export type ShardRunner = Runner & { startAt: (time: number) => void };

/** Facts that are known when the flow is read. */
export interface ReportedPlan {
  plan: PlanSummary;
  from: string;
  hash: string;
  notices: string[];
  /** about the load and likely mistakes in the flow */
  hints: string[];
}

export interface RunnerListener {
  onBegin: (begun: ReportedPlan) => void;
  onProgress: (progress: { stats: Stats; percent: number; concurrent: number; ips: number }) => void;
  /** several times per second, if the request has `ticks` */
  onTick?: (tick: Tick) => void;
  /** the stats of a report; requests in flight: of a run on this machine */
  onState?: (stats: Stats, inFlight?: number, intervals?: IntervalCounts[]) => void;
  /** twice per second, and when a phase begins */
  onReport?: (known: { stats: Stats | null; inFlight: number; phase: string }) => void;
  /** of a shard: it waits for `startAt` */
  onReady?: () => void;
  /** of a shard: when its measured iterations started, common time */
  onStarted?: (time: number) => void;
}

/** `aborted`: by the user; `lost`: the thread died, or the queue. Both have the last known stats. */
export type StatsOutcome =
  | { kind: 'ended'; stats: Stats; why: string; waited?: number }
  | { kind: 'aborted'; stats: Stats | null }
  | { kind: 'lost'; stats: Stats | null; message: string; isFault: boolean };
export type RunnerOutcome =
  StatsOutcome | { kind: 'refused'; error: { code?: string; message: string; stack?: string } };

/** Why a thread is lost: it threw, exited, or posted what is no message. */
export type Loss = { error: unknown } | { code: number } | { reason: string };

/** What a run is hosted by, if its options suit: a host provides the service that the run is about. */
export interface HostEntry {
  suits: (options: Record<string, any>) => boolean;
  /** the run is planned when the service is ready, and not before */
  plansLate?: true;
  /** called when a program loads the library */
  begin?: () => void;
  load: () => Promise<{ run: (run: Run, hosted: HostedRun) => Promise<RunResult> }>;
}

export interface HostedRun {
  options: RunOptions;
  /**
   * plans the run; default: with the base URL of its options; throws the problems of the flow. askLater: the server is
   * not ready; it is called if the plan is without what only the server knows
   */
  planFor: (baseUrl?: string, askLater?: () => void) => LoadPlan & RunPlan;
  /** runs the benchmark while the service is ready */
  perform: (plan: LoadPlan & RunPlan, service?: Service) => Promise<RunResult>;
  /** absolute paths of files that participants write */
  files: string[];
  /** what the caller of the run has for its host */
  hosting?: Hosting;
}

/** What the caller of a run may have for its host. */
export interface Hosting {
  /** leads to what another thread keeps for the run, by its name */
  serviceOf?: (name: string) => ServicePort;
}

export interface ServicePort {
  post: (message: object) => void;
  listen: (listener: (message: any) => void) => void;
}

/** The service that a host provides, as the benchmark uses it; participants of the same add-on may read more of it. */
export interface Service {
  /** null: it is not measured */
  meter: ServiceMeter | null;
  /** it answers in the thread that sends the requests */
  sharesLoop: boolean;
  /** the listener is called if it ends before the run, with why the run ends */
  onLost?: (listener: (error: Error & { code: string }, why: EndReason) => void) => void;
}

/** Measures a service between `begin` and `end`. */
export interface ServiceMeter {
  /** answered: counts the requests that are answered by now */
  begin: (answered: () => number) => void;
  end: () => void;
  /** so far; null: there are no figures */
  toJSON: (options: { isOver: boolean }) => RunContext['server'];
  /** settles when the last figures have arrived */
  ended?: Promise<void>;
}

/** The clock of another machine, as seen from this one. */
export interface ClockOffset {
  /** add it to the local time to get that of the other machine */
  offsetMs: number;
  /** of the best measurement: the offset is wrong by at most half of it */
  roundTripMs: number;
}

/** Asks a server by another protocol than HTTP whether it is ready. */
export interface ProbeEntry {
  /** of its URLs, without the s of those with TLS */
  scheme: string;
  /** before the URL in messages: `SERVING of` */
  awaited: string;
  load: () => Promise<Probe>;
}

export interface Probe {
  /** what: completes "which", such as `answered 503`; rejects if the connection fails or the signal aborts */
  answers: (
    url: string,
    options: { socketPath?: string; tls?: Record<string, unknown>; signal?: AbortSignal },
  ) => Promise<{ isReady: boolean; what: string }>;
}
