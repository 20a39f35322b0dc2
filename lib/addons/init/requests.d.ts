/** The requests of the commands of this add-on. */

export interface InitRequest {
  command: 'init';
  /** what the flow requests; default: the embedded target */
  url?: URL;
  /** default: if there is a tsconfig.json */
  typescript?: boolean;
  /** default: only at the root of a git repository */
  workflow?: boolean;
  /** write an add-on instead */
  addon?: true;
  /** version of bench-rest */
  version: string;
}
