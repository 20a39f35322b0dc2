import { counted } from '../../../core/ground/decimal.js';
import { makeError } from '../../../core/ground/errors.js';
import { FileRefusal, readTextFile } from '../../../core/process/read-file.js';
import { countRequests, newDraft, relativeToBase } from '../draft.js';
import { loginFirst } from '../login.js';
import { isRecord, itemsOf, member, membersOf, parseDocument } from '../read-document.js';
import { replaceSecrets } from '../secrets.js';
import { withSentAccept } from '../sent-bodies.js';
import { settle, withOwnRandoms } from '../tokens.js';
import { Variables } from '../variables.js';
import { authOf, draftOfParts, exchangeProperties, requestParts } from './request.js';
import { readScripts } from '../scripts/read-scripts.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../import.js' */
/** @import { Script } from '../scripts/read-scripts.js' */

/** Bytes of an environment. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Folders in folders. */
const MOST_LEVELS = 50;

/** @type {Supported[]} */
export const supported = [
  { part: 'collections 2.0 and 2.1, folders', becomes: 'operations in their order, named as the requests are' },
  {
    part: 'variables of the collection and of `--environment`',
    becomes: '`baseUrl`, `vars`, and secrets `#{env.NAME}`',
  },
  { part: '`{{$guid}}`, `{{$timestamp}}`, `{{$isoTimestamp}}`, `{{$randomInt}}` and some others', becomes: 'tokens' },
  { part: 'auth: bearer, basic, digest, apikey, oauth2, awsv4; of folders, too', becomes: '`auth`, `headers`, `aws`' },
  {
    part: 'bodies: raw, urlencoded, formdata, file, graphql',
    becomes: '`json`, `body`, `form`, `formData`, `graphql`',
  },
  {
    part: 'tests of the status, of a header field, of values of JSON, of a text in the body, of the response time',
    becomes: '`expect`',
  },
  { part: '`pm.environment.set` and the like, of values of the response', becomes: '`capture`' },
  { part: 'the same of constants', becomes: '`vars`' },
  { part: 'other scripts', becomes: 'comments' },
  { part: 'auth: hawk, ntlm, oauth1 and others; examples of responses', becomes: null },
];

/**
 * Reads a Postman collection: its requests in their order.
 * @throws {Error} E_FLOW_FILE if it is damaged, or has no request
 * @type {(text: string, options: ImportOptions) => Promise<FlowDraft>}
 */
export async function read(text, options) {
  return fromDocument(await parseDocument(text, options.from), options);
}

/**
 * Does the same for a document that has been parsed.
 * @throws {Error} E_FLOW_FILE
 * @type {(document: any, options: ImportOptions) => Promise<FlowDraft>}
 */
export async function fromDocument(document, options) {
  const collection = member(document, 'collection') ?? document;
  const variables = new Variables({ keepSecrets: options.keepSecrets });
  setAll(variables, member(collection, 'variable'));
  for (const path of itemsOf(options.environment)) setAll(variables, member(await readEnvironment(path), 'values'));
  const reader = new CollectionReader(variables);
  reader.walk(collection, {
    folder: [],
    auth: member(collection, 'auth'),
    events: [member(collection, 'event')],
    behavior: behaviorOf(collection, {}),
  });
  const { draft } = reader;
  const count = countRequests(draft, { path: options.from, cure: 'export a collection that has some' });
  const name = member(member(collection, 'info'), 'name');
  const title = typeof name === 'string' ? `the Postman collection "${name.slice(0, 80)}"` : 'a Postman collection';
  draft.comments.push(`Made from ${counted(count, 'request')} of ${title} by bench-rest import.`);
  const vars = variables.used;
  if (Object.keys(vars).length > 0) draft.properties = { vars };
  if (variables.unknown.size > 0)
    draft.dialectNotes.push(
      `No value of ${[...variables.unknown].join(', ')} is in the collection: pass the environment with --environment <file>, or set the variables.`,
    );
  return replaceSecrets(
    relativeToBase(loginFirst(withOwnRandoms(settle(withSentAccept(draft)))), options.baseUrl),
    options,
  );
}

/**
 * @typedef {{ folder: string[], auth: any, events: any[], behavior: Behavior }} ItemPlace what an item has from those
 *   around it
 *
 * @typedef {{ disableBodyPruning?: any, followRedirects?: any, disableCookies?: any }} Behavior
 */

/** Settings of an item, which override those around it. @type {(item: unknown, outer: Behavior) => Behavior} */
function behaviorOf(item, outer) {
  return { ...outer, ...Object.fromEntries(membersOf(member(item, 'protocolProfileBehavior'))) };
}

/** Reads the items of a collection, folder by folder, into a draft. */
class CollectionReader {
  draft = newDraft();
  #variables;
  /** The folder of the request before, whose name is written. */
  #folder = '';
  /** Scripts whose comment is written. @type {Set<any>} */
  #reported = new Set();

  /** @param {Variables} variables */
  constructor(variables) {
    this.#variables = variables;
  }

  /** @type {(parent: any, place: ItemPlace) => void} */
  walk(parent, { folder, auth, events, behavior }) {
    for (const item of itemsOf(member(parent, 'item'))) {
      if (!isRecord(item) || folder.length > MOST_LEVELS) continue;
      const title = typeof item.name === 'string' ? item.name.slice(0, 100) : '';
      const own = {
        auth: item.auth ?? auth,
        events: [...events, item.event],
        behavior: behaviorOf(item, behavior),
      };
      if (Array.isArray(item.item)) this.walk(item, { folder: [...folder, title], ...own });
      else this.#add(item, title, { folder, ...own });
    }
  }

  /** @type {(item: Record<string, any>, title: string, place: ItemPlace) => void} */
  #add(item, title, { folder, auth, events, behavior }) {
    const request = typeof item.request === 'string' ? { url: item.request } : item.request;
    const what = [...folder, title].join(' / ');
    /** @type {string[]} */
    const comments = [];
    const parts = isRecord(request)
      ? requestParts(request, this.#variables, comments, {
          keepsBody: behavior.disableBodyPruning ?? false,
          language: 'text',
        })
      : 'it has no request';
    if (typeof parts === 'string') {
      this.draft.skipped.push({ what, why: parts });
      return;
    }
    const credentials = authOf(request.auth ?? auth, this.#variables, comments);
    const scripts = readScripts(this.#scriptsIn(events), this.#variables, parts.method);
    Object.assign(
      credentials.properties,
      exchangeProperties({ follows: behavior.followRedirects, hasJar: behavior.disableCookies !== true }),
    );
    const about = { title, scripts, comments: [...this.#heading(folder), ...comments] };
    this.draft.phases.main.push(draftOfParts(parts, credentials, about));
  }

  /** Lists the scripts of events; the last ones are those of the request itself. @type {(events: any[]) => Script[]} */
  #scriptsIn(events) {
    return events.flatMap((all, i) =>
      itemsOf(all).flatMap((event) => {
        const lines = [member(member(event, 'script'), 'exec')].flat().filter((line) => typeof line === 'string');
        const isReported = this.#reported.has(event);
        this.#reported.add(event);
        const isInherited = i < events.length - 1;
        return [{ text: lines.join('\n'), isAfter: member(event, 'listen') === 'test', isInherited, isReported }];
      }),
    );
  }

  /** The name of a folder stands above its first request. @type {(folder: string[]) => string[]} */
  #heading(folder) {
    const name = folder.join(' / ');
    const isNew = name !== this.#folder && name !== '';
    this.#folder = name;
    return isNew ? [`Folder: ${name}`] : [];
  }
}

/** Reads an exported environment. @type {(path: string) => Promise<any>} */
async function readEnvironment(path) {
  try {
    return await parseDocument(readTextFile(path, { maxBytes: MAX_BYTES, isSecret: true }), path);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    throw makeError('E_FLOW_FILE', { path, reason: error.reason, cure: error.cure }, { cause: error });
  }
}

/** @type {(variables: Variables, values: unknown) => void} */
function setAll(variables, values) {
  for (const one of itemsOf(values)) {
    if (!isRecord(one) || one.disabled === true || one.enabled === false) continue;
    const name = one.key ?? one.id;
    if (typeof name === 'string') variables.set(name, one.value ?? '', one.type === 'secret');
  }
}
