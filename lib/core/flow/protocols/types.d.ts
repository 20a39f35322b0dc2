import type { Operation, Step, StepProtocol } from '../../contracts/step.js';
import type { Offered } from '../../ground/types.js';
import type { OperationCompiler } from '../operation-compiler.js';
import type { Property, Returned } from '../types.js';

/** Types that files of lib/core/flow/protocols share. */

/** Operations of a kind: their properties, and the steps that they become. */
export interface Protocol extends StepProtocol {
  /** a phrase for documents */
  about: string;
  /** the property that holds the URL; null: `get`, `uri` and their like */
  urlKey: string | null;
  /** of its absolute URLs, one of `SCHEMES` */
  scheme: string;
  /** its connections or requests, for messages: `a WebSocket`, `WebSockets` */
  noun: { one: string; many: string };
  /** the property `key` with a value, for messages: `ws: 'ws://…'` */
  example: string;
  /** those that it adds; one with the name of a property of HTTP replaces that property in its operations */
  properties: Record<string, Property>;
  /** properties that hooks may change in place, so that they get copies */
  mutable: string[];
  /** properties whose values functions may return */
  computed: Record<string, ComputedProperty>;
  /** `null` and `0` are values of its properties; false: they stand for nothing */
  keepsEmpty: boolean;
  /** why its operations are not possible within a `oneOf`, and in a function */
  refusals: { oneOf?: string; function?: string };
  /** explains properties of its operations that do not fit together */
  refuse: (operation: Operation) => { key: string; reason: string }[];
  /**
   * the operation of a URL alone, or with properties of its request that the command line gives; throws E_USAGE if they
   * have no meaning here
   */
  fromUrl: (url: unknown, request?: Record<string, any>) => Operation;
  /** the name of an operation in results; default: its `name`, or method and path */
  nameOf?: (operation: Operation) => string;
  compile: (compiler: OperationCompiler) => Step[];
}

/** The values that functions of a property return. */
export interface ComputedProperty {
  /** in place of the value, or of one of a list */
  whole: Returned;
  /** within a value */
  inner: Returned;
}

/** The row of a protocol: its other facts are loaded with the table of protocols, when a flow is compiled. */
export interface ProtocolEntry extends Offered<OfferedProtocol> {
  /** of its absolute URLs, unless they are those of HTTP; with TLS, it ends with an s */
  scheme?: string;
  /** the scheme is a name of HTTP: its requests are those of HTTP */
  over?: 'http';
  /** it has no URLs with TLS */
  isPlain?: true;
}

export type OfferedProtocol = Omit<Protocol, 'scheme'>;
