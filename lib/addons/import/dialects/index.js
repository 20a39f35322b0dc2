/** @import { FlowDraft, ImportOptions, RecordingOptions } from '../import.js' */
/** @import { Dialect } from '../../../core/flow/source/types.js' */
/** @import { RunOption } from '../../../core/run/options/types.js' */

/** @type {Dialect} */
export const HAR = {
  name: 'har',
  about: 'a HAR 1.2 recording of a browser or proxy: its requests to one origin become the operations of main',
  isRecording: true,
  options: { names: ['harCookies', 'harTiming'], refusal: 'is an option of recordings: the flow is no .har file' },
  select: recordingOptions,
  recognizes: ({ log }) => isRecord(log) && (Array.isArray(log.entries) || log.creator !== undefined),
  async toFlow(document, problems, context) {
    const { recordedFlow } = await import('./har.js');
    return recordedFlow(document, problems, context);
  },
};

/** The documents of JSON and YAML that run as flows. @type {Dialect[]} */
export const DIALECTS = [
  HAR,
  imported({
    name: 'openapi',
    about: 'an OpenAPI or Swagger document: its operations, in the order in which they depend on each other',
    recognizes: ({ openapi, swagger, paths }) =>
      (typeof openapi === 'string' || swagger !== undefined) && isRecord(paths),
    load: () => import('../openapi/index.js'),
  }),
  imported({
    name: 'postman',
    about: 'a Postman collection: its requests in their order',
    recognizes: ({ info, item }) => isRecord(info) && Array.isArray(item),
    load: () => import('../postman/index.js'),
  }),
  imported({
    name: 'insomnia',
    about: 'an export of Insomnia: its requests in their order',
    recognizes: ({ _type, resources, type }) =>
      (_type === 'export' && Array.isArray(resources)) || /^collection\.insomnia\.rest/.test(String(type)),
    load: () => import('../insomnia/index.js'),
  }),
  imported({
    name: 'artillery',
    about: 'a script of Artillery: its scenarios, its load and its conditions',
    recognizes: ({ config, scenarios }) => isRecord(config) && Array.isArray(scenarios),
    load: () => import('../artillery/index.js'),
  }),
];

/**
 * Makes a dialect of a document of another tool; `load` loads its reader.
 * @type {(row: Pick<Dialect, 'name' | 'about' | 'recognizes'> & {
 *   load: () => Promise<{ fromDocument: (document: any, options: ImportOptions) => Promise<FlowDraft> }>
 * }) => Dialect}
 */
function imported({ load, ...row }) {
  return {
    ...row,
    async toFlow(document, _, context) {
      const [reader, { importedFlow }] = await Promise.all([load(), import('./imported.js')]);
      return importedFlow(reader, document, context);
    },
  };
}

/** @type {(value: unknown) => value is Record<string, any>} */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the options that select the sent parts of a recording. They are needed when it is read, before a flow could
 * set them. Values of wrong types are refused when the options are read.
 * @type {(options: Record<string, any>) => RecordingOptions}
 */
export function recordingOptions({ harCookies, harTiming, baseUrl, headers, user }) {
  return {
    cookies: harCookies === true,
    timing: harTiming === true,
    ...(typeof baseUrl === 'string' && { baseUrl }),
    headers: [...Object.keys(isRecord(headers) ? headers : {}), ...(user === undefined ? [] : ['authorization'])],
  };
}

/**
 * Options of recordings: which parts of them are sent. A module of its own would be loaded at each start.
 * @type {(flag: object) => RunOption[]} flag: the kind of their values
 */
export const harOptions = (flag) =>
  /** @type {any} */ ([
    {
      name: 'harCookies',
      flag: '--har-cookies',
      ...flag,
      default: false,
      about: 'send the cookies of a HAR recording, instead of those that the server sets',
    },
    {
      name: 'harTiming',
      flag: '--har-timing',
      ...flag,
      default: false,
      about: 'pause between the requests of a HAR recording as long as the recording did',
    },
  ]);
