import type { ImportRequest } from '../import/requests.js';

/** The requests of the commands of this add-on. */

export interface RecordRequest {
  command: 'record';
  /** null: the requests that reach applications in the processes of the command */
  proxy: import('./proxy.js').ProxyOptions | null;
  /** files of a certificate authority */
  authority?: { certificate: string; key: string };
  /** the command that sends the requests, with its arguments; empty: until Ctrl-C */
  words: string[];
  /** as it was given */
  output: string;
  format: ImportRequest['format'];
  /** replace files that exist */
  force: boolean;
  /** one flow for all clients */
  merge: boolean;
  /** record twice, and compare */
  again: boolean;
  keepSecrets: boolean;
  correlate: import('../import/exchange.js').CorrelateOptions;
}
