import type { RunOptions } from '../../core/contracts/run-options.js';
import type { Stats } from '../../core/contracts/stats.js';
import type { FlowInput } from '../../core/flow/source/types.js';
import type { number } from '../../core/ground/shape.js';
import type { PrecisionWatch } from '../../core/measure/confidence.js';
import type { PlannedLoad } from '../../core/run/types.js';
import type { LossCode } from '../../core/measure/load-generators.js';
import type { MergeOptions } from '../merge/measure/merge.js';
import type { Layer } from '../../core/run/options/types.js';
import type { Silence } from '../../core/run/silence.js';
import type { ReportedPlan, RunnerListener, ShardRunner } from '../../core/run/types.js';
import type { RunBounds } from '../../core/cli/types.js';
import type { Digest, PacketFile } from './flow-packet.js';
import type { TIMING } from './protocol.js';
import type { Queue } from './queue.js';

/**
 * Types that files of lib/addons/agents share. Every message that comes in is checked: another machine wrote it.
 */

/** A flow on its way to agents: plain JSON. */
export interface FlowPacket {
  /** data: never executed; code: a bundle, for agents that allow code; disk: an agent needs the same files */
  kind: 'data' | 'code' | 'disk';
  /** of the flow, for people */
  name: string;
  /** of the flow as results have it */
  hash: string;
  /** file: the name of the flow's file; for `disk` it is relative to the folder of the agent */
  source: { kind: 'urls'; urls: string[]; request?: Record<string, any> } | { kind: 'file'; file: string };
  /** of relative paths in a flow that is no file */
  folder: string;
  /** that travel */
  files: PacketFile[];
  /**
   * of code: the files that an agent needs to run the flow from its own disk, that of the flow first; null: it cannot
   */
  disk: Digest[] | null;
}

/** The permissions of flows from a queue on an agent. */
export interface Allowed {
  /** code that was sent may run */
  code: boolean;
  /** names of the environment variables that they may read */
  variables: string[];
  /** `host:port` where they may send requests; null: everywhere */
  targets: string[] | null;
}

export interface SumOptions {
  /** the run option, ms */
  expectedInterval?: number;
  /** what the run plans */
  load?: PlannedLoad;
  /** the precision that ends the run */
  precision?: PrecisionWatch;
  /** gets what each sum is made of, unless it `isJudged` */
  onSum?: MergeOptions['onSum'];
  /** the sum has only what thresholds and limits of errors need */
  isJudged?: boolean;
  /** why this process has stopped the run */
  stoppedBy?: string | null;
  /** this process has aborted the run */
  isAborted?: boolean;
}

export interface PoolContext {
  queue: Queue;
  pool: string;
  /** prints a line */
  notify: (text: string) => void;
  /** ends early if the run is stopped */
  pause: (ms: number) => Promise<void>;
  isStopped: () => boolean;
  /** instant of performance.now() when waiting ends */
  until: number;
  pollMs: number;
}

/** An agent, as it reports itself. */
export interface Presence {
  protocol: number;
  /** unique */
  id: string;
  name: string;
  /** of bench-rest */
  version: string;
  cores: number;
  allowsCode: boolean;
  isBusy: boolean;
  /** to Redis */
  roundTripMs: number;
}

/** A run, as the coordinator submits it: the data of the parent job. */
export interface Work {
  protocol: number;
  run: string;
  flow: FlowPacket;
  /** run options of the configuration file */
  config: Layer;
  /** run options of flags, weakest first */
  commandLine: Layer[];
}

/** The data of a child job. */
export interface Shard {
  protocol: number;
  run: string;
  /** from 1 */
  number: number;
  of: number;
}

/** The orders for all agents of a run. */
export interface Control {
  protocol: number;
  order: 'prepare' | 'start' | 'stop' | 'abort';
  /** time of Redis, ms */
  startAt: number | null;
  /** of a stop */
  reason: string | null;
  /** shorter grace period of a stop, ms */
  within: number | null;
  /** leases of shards that are lost: their reports are refused */
  dropped: string[];
}

/** The whole state of a shard, as its agent reports it. */
export interface Report {
  protocol: number;
  /** BullMQ's token of the attempt at the job: a shard counts the reports of one attempt only */
  lease: string;
  /** rises */
  sequence: number;
  state: 'preparing' | 'ready' | 'running' | 'ended' | 'refused';
  agent: Presence;
  /** the wall clock of the agent, less that of Redis; null: not measured yet */
  clockOffsetMs: number | null;
  /** from the agreed start until all threads of the agent had started */
  startDelayMs: number | null;
  begun: ReportedPlan | null;
  /** see Tick in lib/report/types.js; null before the run */
  tick: any;
  /** with counts */
  stats: Stats | null;
  /** requests */
  inFlight: number;
  /** of a shard that has ended */
  outcome: { kind: string; why?: string; message?: string } | null;
  /** of a shard that was refused */
  error: { code?: string; message: string } | null;
}

/** Stands for a report that cannot be read, with the reason. */
export type Unreadable = { fault: string };

/** The purposes of messages. Each has a key of its own, so a signed report is no order. */
export type Purpose = 'work' | 'shard' | 'control' | 'presence' | 'report';

export type CreateEngine = (
  request: Record<string, any>,
  listener: RunnerListener & { log: NodeJS.WritableStream; onExchange: () => void },
) => ShardRunner;

export interface ShardContext {
  shard: Shard;
  work: Work;
  lease: string;
  source: FlowInput;
  cwd: string;
  /** absolute path of the log of requests, if the run has one */
  requestLog: string | null;
  /** threads, unless the run decides */
  workers: number | string;
  /** what the shard may use at most */
  bounds?: RunBounds;
  /** run options from the environment of the agent */
  secrets: Layer;
  presence: () => Presence;
  queue: Queue;
  createEngine: CreateEngine;
  /** receives the output of the flow's own code */
  log: NodeJS.WritableStream;
  /** prints a line */
  notify: (text: string) => void;
  /** null: it cannot be saved */
  saveResult?: SaveResult;
  timing: Timing;
}

/** Writes the result of a shard that its coordinator cannot get any more, and returns the path. */
export type SaveResult = (shard: Shard, result: { begun: ReportedPlan; stats: Stats; why: string }) => string | null;

/** The state of a shard, as the coordinator knows it. */
export interface ShardState {
  /** from 1 */
  number: number;
  /** the latest; only this one is kept */
  report: Report | null;
  /** of the first report: reports with another one are refused */
  lease: string | null;
  /** since its last report, while the queue is read */
  silence: Silence;
  /** instant of its last report, ms */
  reportedAt: number | null;
  /** how long it may have gone on after its last report */
  uncountedMs: number;
  /** why it may be lost */
  suspicion: string | null;
  /** its job ended while the queue did not answer: BullMQ watches it no longer */
  hasLostJob: boolean;
  /** why it was dropped */
  lost: string | null;
  /** the same for programs */
  lostCode: LossCode;
}

export interface CoordinatorRequest {
  source: FlowInput;
  cwd: string;
  /** run options of the configuration file */
  config: Layer;
  /** run options of flags, weakest first */
  commandLine: Layer[];
  /** options about the agents, which agents do not get */
  own: CoordinatorOptions;
  env: NodeJS.ProcessEnv;
  timing?: Timing;
  /** keeps the logs of several runs apart */
  runLabel?: string;
}

export interface CoordinatorOptions {
  agents: number;
  /** URL */
  agentsQueue: string;
  agentsPool?: string;
  /** ms */
  agentsTimeout?: number;
  agentsMaxLost?: number;
  /** paths of more files that the flow reads */
  agentsInclude?: string[];
}

/** notice: prints a line. */
export type CoordinatorListener = Required<Pick<RunnerListener, 'onBegin' | 'onProgress' | 'onTick' | 'onState'>> & {
  notice: (text: string) => void;
};

/** A run that the coordinator has checked, see `checkRun`. */
export interface CheckedRun {
  /** null if only the environment of the agents has what the plan needs */
  begun: ReportedPlan | null;
  options: RunOptions;
}

/** The intervals of agents and coordinators, ms. Tests use shorter ones. */
export type Timing = typeof TIMING;
