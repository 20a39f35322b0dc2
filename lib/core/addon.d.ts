import type { TransportEntry } from './contracts/connection.js';
import type { CommandEntry } from './cli/commands/index.js';
import type {
  BoundsEntry,
  CompanionEntry,
  DocumentEntry,
  OfferedListing,
  PreviewEntry,
  RunnerEntry,
  Separator,
  KeeperEntry,
  UrlFlag,
} from './cli/types.js';
import type { BodyEntry } from './flow/bodies/types.js';
import type { CheckEntry } from './flow/checks/types.js';
import type { ProtocolEntry } from './flow/protocols/types.js';
import type { OperationFigures } from './measure/operation-figures.js';
import type { Dialect, FlowFormat, FlowText } from './flow/source/types.js';
import type { TokenEntry } from './flow/tokens/types.js';
import type { OfferedFigures } from './measure/figures.js';
import type { ResultKey } from './measure/document.js';
import type { OfferedLimits, OfferedReason } from './measure/outcome.js';
import type { OfferedFigure } from './measure/threshold-figures.js';
import type { OfferedDoubts } from './measure/validity.js';
import type { Conclusion } from './measure/summary.js';
import type {
  FaultsOf,
  HttpVersionEntry,
  JsonPath,
  OldOptions,
  ReaderEntry,
  RetryEntry,
  SignatureEntry,
} from './flow/types.js';
import type { OfferedEnd } from './ground/end-reasons.js';
import type { OfferedErrors } from './ground/errors.js';
import type { Hint } from './ground/addons.js';
import type { Offered } from './ground/types.js';
import type { Middleware } from './iteration/session/index.js';
import type { Display, ErrorHint, OfferedSection, OfferedTexts, Reporter } from './report/types.js';
import type { OfferedOptions } from './run/options/types.js';
import type {
  FindSharedVariable,
  HostEntry,
  LoadsEntry,
  ParticipantEntry,
  ProbeEntry,
  RequestLogEntry,
  SenderEntry,
} from './run/types.js';

/**
 * The door: what an add-on may offer. It is plain facts, and functions that load the rest when it is used; the module
 * of an add-on imports nothing that has a table of the core.
 */
export interface Addon {
  /** that of its folder in lib/addons */
  name: string;
  /** what it adds: a phrase for documents */
  about: string;
  /** its names may change in a minor version: help, documents, schemas and types say so */
  isExperimental?: true;
  /** the names of add-ons that it imports; it works only beside them */
  needs?: string[];
  /** run options, in groups of the help; what they load is loaded at once */
  options?: OfferedOptions[];
  /** what a run with several loads needs: the first one is used */
  loads?: LoadsEntry[];
  /** what provides the service that a run is about; the first one that suits the run is used */
  hosts?: HostEntry[];
  /** what refuses runs that others ask for, if they would use more than they may: the first one is used */
  bounds?: BoundsEntry[];
  /** what asks a server whether it is ready, by the scheme of its URL */
  probes?: ProbeEntry[];
  /** what takes part in a run beside its load */
  participants?: ParticipantEntry[];
  /** finds variables that the threads of a run would not share: the first one is used */
  sharedVariables?: Offered<FindSharedVariable>[];
  /** logs of all requests; the first one that suits the run is used */
  requestLogs?: RequestLogEntry[];
  /** what acts on each request as it is sent */
  senders?: SenderEntry[];
  /** formats of results */
  formats?: Reporter[];
  /** sections of reports */
  sections?: OfferedSection[];
  /** keys that it adds to results */
  resultKeys?: ResultKey[];
  /** what it adds to the stats of a run at its end */
  conclusions?: Conclusion[];
  /** what it judges beside the thresholds */
  limits?: OfferedLimits[];
  /** what it doubts about the figures of a result */
  doubts?: OfferedDoubts[];
  /** why it ends a run */
  endReasons?: OfferedEnd[];
  /** why it fails a run */
  reasons?: OfferedReason[];
  /** the types of documents that it writes, other than results */
  documentTypes?: string[];
  /** displays of a run in progress; the first one that suits the terminal is used */
  displays?: Display[];
  /** HTTP clients */
  transports?: TransportEntry[];
  /** versions of HTTP on the wire of the built-in client */
  httpVersions?: Offered<HttpVersionEntry>[];
  /** protocols of operations */
  protocols?: ProtocolEntry[];
  /** properties of operations that hold a body */
  bodies?: Offered<BodyEntry>[];
  /** what signs requests */
  signatures?: Offered<SignatureEntry>[];
  /** what exchanges add to requests or learn from responses */
  middleware?: Offered<Middleware>[];
  /** options of another tool that operations may have; the first ones are used */
  oldOptions?: Offered<OldOptions>[];
  /** compile JSONPaths with more than names and positions; the first one is used */
  jsonPaths?: Offered<(text: string) => JsonPath>[];
  /** built-in tokens */
  tokens?: TokenEntry[];
  /** properties of `expect` */
  checks?: Offered<CheckEntry[]>[];
  /** readers of response bodies as they arrive */
  readers?: Offered<ReaderEntry>[];
  /** what sends requests again after a wait */
  retries?: Offered<RetryEntry>[];
  /** what makes responses errors though their status is none */
  faults?: Offered<FaultsOf>[];
  /** what messages and help of the core say with it */
  hints?: Hint[];
  /** errors that users can meet */
  errors?: OfferedErrors[];
  /** what reports add to the messages of errors */
  errorHints?: ErrorHint[];
  /** what its connections count, as figures of results */
  figures?: OfferedFigures[];
  /** figures of the whole run that thresholds can name */
  thresholdFigures?: OfferedFigure[];
  /** figures that only some operations have */
  operationFigures?: OperationFigures[];
  /** files of flows */
  flowFormats?: FlowFormat[];
  /** texts without a file that are flows, of -e and of standard input */
  flowTexts?: FlowText[];
  /** documents of JSON and YAML that are flows */
  dialects?: Dialect[];
}

/** What an add-on offers to the command alone: a program does not load it, and a bundle of one does not contain it. */
export interface CommandAddon {
  commands?: CommandEntry[];
  /** what prints something about a run in its place */
  previews?: PreviewEntry[];
  /** flags that describe the request of a URL */
  urlFlags?: UrlFlag[];
  /** what accompanies a run of the command */
  companions?: CompanionEntry[];
  /** what the thread of the command keeps for the threads of runs */
  keepers?: KeeperEntry[];
  /** texts about a run in progress */
  liveTexts?: OfferedTexts[];
  /** words that divide the arguments of the command */
  separators?: Separator[];
  /** places where runs of the command are performed, instead of this process */
  runners?: RunnerEntry[];
  /** what `bench-rest list <url>` prints about a server */
  listings?: OfferedListing[];
  /** saved documents other than results, for `bench-rest report` */
  documents?: DocumentEntry[];
}
