import type { RunOptions } from '../../contracts/run-options.js';
import type { CompiledFlow } from '../../contracts/step.js';
import type { Beside } from '../../ground/addons.js';
import type { Problems } from '../../ground/types.js';
import type { text } from './row.js';

/** Types that files of lib/core/run/options share. */

/**
 * Where the value of a run option comes from, weakest layer first: defaults, configuration file, flow, command line (or
 * program), `--debug`. This is the only place where options of different origin meet.
 */
export interface Layer {
  /** as `--print-config` prints it */
  name: string;
  /** `undefined` is ignored, `null` means the default */
  options: Record<string, any>;
  /** people wrote it into a flow or a file: a few milliseconds without a unit are refused, as in flags */
  isWritten?: true;
  /** it has the run options of the flow */
  isFlow?: true;
  /** options that weaker layers cannot set */
  resets?: string[];
  /** options whose value is an upper limit here: a run that allows only less reduces it */
  adapts?: string[];
  /** it divides the run into shards, and judges them together */
  joinsShards?: true;
}

/** Names that other tools have for the same. */
export interface OtherName {
  /** long ones, to be written in kebab-case or camelCase, and letters of flags */
  names: string;
  /** that have them; none: people try these names */
  tools?: string;
  /** our run option */
  option?: string;
  /** our flag, where it is not that of a run option */
  flag?: string;
  /** option: the names are flags here, and are answered as run options alone; flag: the other way round */
  only?: 'option' | 'flag';
  /** ours, of an operation that has one of these names */
  property?: string;
  /** what to write, or why nothing is needed */
  hint?: string;
}

export interface OptionGroup {
  group: string;
  rows: RunOption[];
}

/** Run options of an add-on. */
export interface OfferedOptions extends Beside {
  group: string;
  isExperimental?: boolean;
  load: () => RunOption[];
}

/** A flag that sets a property of the value of an option. */
export interface OptionPart {
  name: string;
  flag: string;
  about: string;
  check?: (text: string) => boolean;
  /** completes "expected …", if it has a check */
  expected?: string;
  refuseText?: RunOption['refuseText'];
}

/** The helps that list a flag beside `--help-all` and that of its group: `-h` and `--help`, or `--help` alone. */
export type HelpPlace = 'short' | 'common';

/** One run option. Its types, schema, flags and documents are generated from this row. */
export interface RunOption {
  name: string;
  /** help text: a lower-case phrase without a full stop */
  about: string;
  /** the name may change in a minor version */
  isExperimental?: true;
  /** TypeScript type of what a program or a flow may give */
  type: string;
  /** type of the value that the run works with, if it differs */
  parsed?: string;
  /** JSON Schema; null if JSON cannot express it */
  schema: Record<string, unknown> | null;
  check: (value: any) => boolean;
  /** completes "expected …, got …" */
  expected: string;
  /** why a value cannot be used, in more words than `expected` */
  refuse?: (value: any) => string | undefined;
  /** turns the text of a flag, or a text in a flow, into the value */
  read?: (given: any) => any;
  /** reads one of several arguments of a flag, where the value depends on all of them; `read` reads their results */
  readPart?: (given: any) => any;
  /** `read` accepts values of every type */
  readsAny?: boolean;
  /** of the command, as commander writes it */
  flag?: string;
  inHelp?: HelpPlace;
  /**
   * why the command does not take a text for its flag that could be read, but is likely to mean something else; a
   * sentence without its full stop
   */
  refuseText?: (text: string) => string | undefined;
  /** of a flag whose argument may be left out: what it means then, and which texts are its argument */
  implied?: { text: string; values: RegExp; expected?: string };
  /** flags beside its own */
  parts?: OptionPart[];
  /** reads the words after `--`; `given` is the value of its flag; throws E_USAGE */
  readWords?: (words: string[], given: any) => any;
  /** the meaning of a value in a file of this folder, whose relative paths lead from there */
  inFolder?: (given: any, folder: string) => any;
  /** the flag may be given several times: the value is an array */
  repeatable?: boolean;
  /** why the flag cannot have two different values; a sentence without its full stop */
  refuseSecond?: string;
  /** environment variable that the command reads */
  env?: string;
  /** whether this value needs an HTTP client with a capability of this name */
  needsCapability?: (value: any) => boolean;
  /** options that it cannot be combined with, or what lists them for a run with these options */
  excludes?: string[] | ((given: Record<string, any>) => string[]);
  /** without one of these options it has no effect */
  needs?: string[];
  /** where it sends something that is no request of the flow */
  contacts?: (value: any) => { hostname: string; port: number };
  /** refuses it, or another option, where it does not fit to the flow */
  fit?: (options: RunOptions, flow: CompiledFlow, problems: Problems, onNotice: (text: string) => void) => void;
  /** how requests are sent, in words */
  describe?: (options: RunOptions, flow?: CompiledFlow) => string[];
  /** lists the files that the run writes for it */
  files?: (options: RunOptions) => string[];
  /** its value for one of several runs, which write to files of their own */
  labelled?: (given: any, label: string) => any;
  /** the run has a target of its own, for which URLs may be paths */
  bringsTarget?: true;
  /** results do not show it */
  isSecret?: boolean;
  /** the value as people and results see it, without the secrets in it */
  masked?: (given: any) => unknown;
  /** messages quote an argument that is refused: `masked` hides no secret */
  isQuoted?: boolean;
  /** why a run in another place cannot have it, by the add-on that leads it there: completes "--start …" */
  refusedElsewhere?: Record<string, string>;
  /**
   * what it does beyond the requests of a flow, such as `writes a file`: a flow that is data cannot set it, and a file
   * that others may have written cannot run a command
   */
  reaches?: string;
  /** the command and its configuration file have it alone: it says where and how the command runs a flow */
  isOfCommand?: true;
  /** combines the values of two layers; default: the stronger one */
  merge?: (weaker: any, stronger: any) => any;
  default?: any;
  /** default of the command, if it differs */
  commandDefault?: any;
}
