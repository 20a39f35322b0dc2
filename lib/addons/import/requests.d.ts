/** The requests of the commands of this add-on. */

export interface ImportRequest {
  command: 'import';
  /** paths, or - for standard input */
  sources: string[];
  /** the text of -e */
  evaluate?: string;
  /** file of the flow, as it was given; undefined: it is printed */
  output?: string;
  format: 'mjs' | 'yaml' | 'json';
  /** kind of the sources; default: detected */
  from?: string;
  /** replace a file that exists */
  force: boolean;
  /** flags of the sources, by their property */
  options: { keepSecrets?: boolean; baseUrl?: string } & Record<string, unknown>;
}
