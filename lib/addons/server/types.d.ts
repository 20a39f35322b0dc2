import type { Service } from '../../core/run/types.js';
import type { ServerChannel, ServerLink } from './server-link.js';

/** Types that files of this add-on share. */

/** what: completes "GET http://localhost:3000/health …". */
export type Answer = { isReady: boolean; what: string };

/** The server that a run started or watches, as its benchmark and its recorders use it. */
export interface ServerProcess extends Service {
  pid: number;
  link: ServerLink | null;
  /** absolute paths of files for what is recorded of it */
  files: string[];
}

export interface ReadyServer {
  pid: number;
  origin: string;
  /** the listener is called when it ends before it is stopped */
  onEnd: (listener: (end: ServerEnd) => void) => void;
  stop: () => Promise<void>;
  channel?: ServerChannel | null;
}

export type StartServer = (settings: StartSettings, isCancelled: () => boolean) => Promise<ReadyServer>;

/** Plain data: the command starts the server in another thread than its run. */
export interface StartSettings {
  /** a line for the shell, or a program and its arguments */
  command: string | string[];
  /** added to the environment */
  env: Record<string, string>;
  cwd: string;
  /** ms, until the server is ready */
  timeout: number;
  /** where it may listen: one, or those of both IP versions */
  origins: string[];
  /** where it listens, instead of host and port */
  socketPath?: string;
  /** URL, relative to the origin, that must answer with 2xx or 3xx */
  ready?: string;
  /** options of tls.connect, for a probe of https */
  tls: Record<string, unknown>;
  /** in PORT */
  port: string | undefined;
  /** it was chosen for this run, so nothing else listens there */
  isPortFree: boolean;
  /** its processes of Node load a file of ours first */
  hasPreload: boolean;
  /** a server that runs already, instead of the command */
  watch?: string;
}

/** Why a server has ended, to make an error of. */
export interface ServerEnd {
  /** `ended with code 1 after 2.3 s` */
  how: string;
  command: string;
  /** what to do about it */
  cure: string;
}
