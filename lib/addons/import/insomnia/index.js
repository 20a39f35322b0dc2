import { counted } from '../../../core/ground/decimal.js';
import { capturesFirst, countRequests, mapTexts, newDraft, relativeToBase } from '../draft.js';
import { EnvironmentNames } from '../environment-names.js';
import { loginFirst } from '../login.js';
import { mergeDrafts } from '../merge-drafts.js';
import { isRecord, itemsOf, member, membersOf, parseDocument } from '../read-document.js';
import { replaceSecrets } from '../secrets.js';
import { withSentAccept } from '../sent-bodies.js';
import { settle, withOwnRandoms } from '../tokens.js';
import { PLACEHOLDER, Variables, freeName, plain } from '../variables.js';
import { RequestReader, nameIn } from './requests.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../import.js' */
/** @import { PlacedRequest } from './requests.js' */

/** @type {Supported[]} */
export const supported = [
  {
    part: 'exports of format 4 (JSON) and collections of format 5 (YAML), folders',
    becomes: 'operations in their order',
  },
  { part: 'variables of the environments: `{{ _.name }}`', becomes: '`baseUrl`, `vars`, and secrets `#{env.NAME}`' },
  { part: 'authentication: bearer, basic, digest, apikey, oauth2, AWS', becomes: '`auth`, `headers`, `aws`' },
  {
    part: 'bodies: JSON, text, forms, multipart, GraphQL, files',
    becomes: '`json`, `body`, `form`, `formData`, `graphql`',
  },
  { part: 'fields, authentication and variables of folders', becomes: 'those of their requests' },
  {
    part: '`{% response … %}`: JSONPath, header field; in environments, too',
    becomes: '`capture` in the request that it names',
  },
  { part: 'tests and captures of scripts, as in those of Postman', becomes: '`expect`, `capture`; others comments' },
  { part: 'template tags `{% uuid %}`, `{% timestamp %}`, `{% now %}`', becomes: 'tokens; others `#{env.NAME}`' },
  { part: 'the other environments, gRPC, WebSockets', becomes: null },
];

const MOST_LEVELS = 20;

/**
 * Reads an export of Insomnia: its requests in their order.
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
  const contents = Array.isArray(member(document, 'resources'))
    ? formerExport(document.resources)
    : [collectionOf(document)];
  /** @type {Variables[]} */
  const former = [];
  const common = { environmentNames: new EnvironmentNames(), ...options };
  const draft = mergeDrafts(contents.map((content) => draftOfContent(content, former, common)));
  const count = countRequests(draft, { path: options.from, cure: 'export a collection that has some' });
  draft.comments.push(`Made from ${counted(count, 'request')} of Insomnia by bench-rest import.`);
  return draft;
}

/**
 * Translates a workspace; `former` are the variables of those before it, to which its own are added.
 * @type {(content: Content, former: Variables[], options: ImportOptions) => FlowDraft}
 */
function draftOfContent({ requests, folders, base, others, skipped, notes }, former, options) {
  const variables = new Variables({ keepSecrets: options.keepSecrets, former: [...former] });
  former.push(variables);
  const reader = new RequestReader(variables, requests);
  const valuesIn = (/** @type {any} */ data) => flattened(reader.withoutTags(data ?? {}, notes));
  const [other] = others;
  if (other !== undefined)
    notes.push(`Values that the base environment does not have are those of the environment ${other.name}.`);
  const scopes = new FolderScopes([...valuesIn(other?.data), ...valuesIn(base)]);
  for (const { name, outer, environment } of folders) scopes.add(outer, name, valuesIn(environment));
  for (const [name, value] of scopes.values) variables.set(name, value);
  const draft = newDraft({ skipped, dialectNotes: notes });
  for (const { request, folders: outer } of requests) {
    const around = outer.map(({ name, headers, authentication }) => ({ name, headers, authentication }));
    reader.add(scopes.named(outer, { request, folders: around }), draft);
  }
  reader.addCaptures();
  const vars = variables.used;
  if (Object.keys(vars).length > 0) draft.properties = { vars };
  const settled = withOwnRandoms(settle(withSentAccept(draft)));
  settled.phases.main = capturesFirst(settled.phases.main);
  return replaceSecrets(relativeToBase(loginFirst(settled), options.baseUrl), options);
}

/**
 * @typedef {object} Content
 * @property {PlacedRequest[]} requests
 * @property {{ name: string, outer: Record<string, any>[], environment: any }[]} folders `outer`: itself, too
 * @property {any} base variables of the base environment
 * @property {{ name: string, data: any }[]} others the environments below it
 * @property {{ what: string, why: string }[]} skipped
 * @property {string[]} notes
 */

/** Each resource names its parent. Each workspace has its own environments. @type {(resources: any[]) => Content[]} */
function formerExport(resources) {
  const all = resources.filter(isRecord);
  const environments = all.filter((one) => one._type === 'environment');
  const reached = new Set();
  const roots = rootsOf(all);
  const contents = roots.map((root) => {
    const content = contentBelow(root, all, reached);
    const bases = environments.filter((one) => one.parentId === root);
    const [base = environments.length > 0 && roots.length === 1 ? environments[0] : undefined] = bases;
    const others = environments.filter((one) => one !== base && (roots.length === 1 || one.parentId === base?._id));
    return { ...content, ...environmentsOf(base, others) };
  });
  const orphans = all.filter((given) => isRequest(given) && !reached.has(given));
  const skipped = orphans.map((one) => ({ what: String(one.name ?? one._id), why: 'it is in no workspace' }));
  const used = contents.filter(({ requests, skipped: left }) => requests.length + left.length > 0);
  const [first = contentBelow('', [], reached), ...rest] = used.length > 0 ? used : contents;
  return [{ ...environmentsOf(undefined, []), ...first, skipped: [...first.skipped, ...skipped] }, ...rest];
}

/**
 * Reads what is below a workspace, in its order.
 * @type {(root: string, all: Record<string, any>[], reached: Set<any>) => Omit<Content, 'base' | 'others'>}
 */
function contentBelow(root, all, reached) {
  /** @type {Omit<Content, 'base' | 'others'>} */
  const content = { requests: [], skipped: [], folders: [], notes: [] };
  /** @type {(parent: string, outer: Record<string, any>[]) => void} */
  const walk = (parent, outer) => {
    if (outer.length > MOST_LEVELS) return;
    const children = all.filter((one) => one.parentId === parent && !reached.has(one));
    for (const one of children.sort((a, b) => (Number(a.metaSortKey) || 0) - (Number(b.metaSortKey) || 0))) {
      reached.add(one);
      const what = nameIn(outer, one.name);
      if (one._type === 'request') content.requests.push({ request: one, folders: outer });
      else if (isOtherKind(one)) content.skipped.push({ what: what || String(one._id), why: `it is a ${one._type}` });
      if (one._type !== 'request_group') continue;
      content.folders.push({ name: what, outer: [...outer, one], environment: one.environment });
      walk(String(one._id), [...outer, one]);
    }
  };
  walk(root, []);
  return content;
}

/**
 * Lists the ids of workspaces, and of parents that are not in the export: other programs leave out the workspace.
 * @type {(all: Record<string, any>[]) => string[]}
 */
function rootsOf(all) {
  const ids = new Set(all.map((one) => one._id));
  const workspaces = all.filter((one) => one._type === 'workspace').map((one) => String(one._id));
  const parents = all.filter((one) => isRequest(one) || one._type === 'request_group').map((one) => one.parentId);
  return [...new Set([...workspaces, ...parents.filter((id) => typeof id === 'string' && !ids.has(id))])];
}

/** @type {(resource: Record<string, any>) => boolean} */
function isRequest(resource) {
  return resource._type === 'request' || isOtherKind(resource);
}

/** @type {(resource: Record<string, any>) => boolean} */
function isOtherKind({ _type: kind }) {
  return /_request$/.test(kind);
}

/** @type {(base: any, others: any[]) => Pick<Content, 'base' | 'others'>} */
function environmentsOf(base, others) {
  const named = others.map((one, i) => ({ name: String(one?.name ?? i + 2), data: member(one, 'data') }));
  return { base: member(base, 'data'), others: named };
}

/** Format 5: a tree. @type {(document: any) => Content} */
function collectionOf(document) {
  /** @type {Content['requests']} */
  const requests = [];
  /** @type {Content['skipped']} */
  const skipped = [];
  /** @type {Content['folders']} */
  const folders = [];
  /** @type {(items: any, outer: Record<string, any>[]) => void} */
  const walk = (items, outer) => {
    for (const one of itemsOf(items).filter(isRecord).sort(byKey)) {
      if (outer.length > MOST_LEVELS) continue;
      const what = nameIn(outer, one.name);
      if (Array.isArray(one.children)) {
        folders.push({ name: what, outer: [...outer, one], environment: one.environment });
        walk(one.children, [...outer, one]);
      } else if (one.url !== undefined && one.protoFileId === undefined && one.reflectionApi === undefined)
        requests.push({ request: one, folders: outer });
      else skipped.push({ what, why: 'it is no HTTP request' });
    }
  };
  walk(member(document, 'collection'), []);
  const environments = member(document, 'environments');
  const others = itemsOf(member(environments, 'subEnvironments'));
  return { requests, folders, ...environmentsOf(environments, others), skipped, notes: [] };
}

/** As Insomnia lists them. @type {(a: any, b: any) => number} */
function byKey(a, b) {
  return (Number(member(a.meta, 'sortKey')) || 0) - (Number(member(b.meta, 'sortKey')) || 0);
}

/** Nested names are joined: api.key. @type {(data: any, above?: string, depth?: number) => [string, any][]} */
function flattened(data, above = '', depth = 0) {
  return membersOf(data).flatMap(([name, value]) =>
    isRecord(value) && depth < MOST_LEVELS
      ? flattened(value, `${above}${name}.`, depth + 1)
      : [[`${above}${name}`, value]],
  );
}

/** The variables of folders, whose values only their requests have, in place of those of the environments. */
class FolderScopes {
  /** By their names: a folder has another name for a variable that is elsewhere, too. @type {Map<string, any>} */
  values;
  /** Names of variables by those that a folder has for them. @type {Map<any, Map<string, string>>} */
  #names = new Map();

  /** @param {[string, any][]} values those of the environments */
  constructor(values) {
    this.values = new Map(values);
  }

  /** `outer` ends with the folder itself. @type {(outer: any[], title: string, values: [string, any][]) => void} */
  add(outer, title, values) {
    const isTaken = (/** @type {string} */ one, /** @type {any} */ value) =>
      this.values.has(one) && this.values.get(one) !== value;
    const named = values.map(([name, value]) => ({
      name,
      value,
      own: isTaken(name, value) ? freeName(`${title} ${name}`, (one) => isTaken(one, value)) : name,
    }));
    this.#names.set(outer.at(-1), new Map(named.map(({ name, own }) => [name, own])));
    for (const { own, value } of named) this.values.set(own, this.named(outer, value));
  }

  /** Copies a value with the names that variables have in a folder. @type {<T>(outer: any[], value: T) => T} */
  named(outer, value) {
    const names = new Map(outer.flatMap((one) => [...(this.#names.get(one) ?? [])]));
    /** @type {(text: string, depth: number) => string} */
    const renamed = (text, depth) =>
      text.replace(PLACEHOLDER, (whole, given) => {
        const own = names.get(plain(given));
        if (own !== undefined) return `{{${own}}}`;
        // A value of an environment may have one of the folder in it.
        const known = this.values.get(plain(given));
        const inner = typeof known === 'string' && depth < MOST_LEVELS ? renamed(known, depth + 1) : known;
        return inner === known ? whole : inner;
      });
    return names.size === 0
      ? value
      : mapTexts(
          value,
          (text) => renamed(text, 0),
          (key) => key,
        );
  }
}
