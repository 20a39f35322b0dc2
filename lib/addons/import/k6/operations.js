import { draftOf } from '../draft.js';
import { evaluated } from './builtins.js';
import { whenOf } from './conditions.js';
import { Untranslated } from './render.js';
import { writeRequest } from './requests.js';
import { lineOf, shownInLine, shownLines } from './shown-source.js';
import { isLost, isStructure, object, Sym, sym, unknown } from './values.js';

/** @import { OperationDraft } from '../import.js' */
/** @import { Given } from './requests.js' */
/** @import { Script } from './script.js' */
/** @import { Node, Value } from './values.js' */

/** Operations of a flow. */
const MOST_OPERATIONS = 1000;

/** Adds the operation of a request. @type {(script: Script, given: Given, node: Node) => Value} its response */
export function addRequest(script, { method, url, body, params }, node) {
  const [sent, how] = [body, params].map((one) => evaluated(script.run, one, node));
  const given = { method, url, body: sent, params: how };
  return addOperation(script, node, url, method, (draft) =>
    writeRequest(given, draft, {
      renderer: script.renderer,
      options: script.options,
      defaults: script.defaults,
      jar: script.jar,
    }),
  );
}

/**
 * Adds the operations of http.batch.
 * @type {(script: Script, items: Value, node: Node, itemOf: (item: Value) => Given | undefined) => Value} their
 *   responses
 */
export function addBatch(script, items, node, itemOf) {
  if (!isStructure(items) || isLost(items)) {
    script.leave(node, 'which requests it sends is not known');
    return unknown(node, 'the requests of its batch are not known');
  }
  script.notes.add('Requests of http.batch are sent one after the other.');
  const responses = Object.entries(items).map(([key, item]) => {
    const given = itemOf(item);
    if (given === undefined) script.leave(node, 'which requests it sends is not known');
    return [key, given ? addRequest(script, given, node) : unknown(node)];
  });
  return Array.isArray(items) ? responses.map(([, one]) => one) : object(Object.fromEntries(responses));
}

/**
 * Adds an operation; one that no flow can have is a comment.
 * @type {(script: Script, node: Node, url: Value, method: Value, write: (draft: OperationDraft) => void) => Value}
 */
export function addOperation(script, node, url, method, write) {
  if (script.phase.operations.length >= MOST_OPERATIONS || script.renderer.phase === 'init') {
    script.leave(
      node,
      script.renderer.phase === 'init'
        ? 'k6 sends no requests outside of functions'
        : 'a flow of more operations is not written',
    );
    return unknown(node);
  }
  const draft = draftOf({}, script.pending);
  script.pending = [];
  script.renderer.draft = draft;
  const { guards } = script.run.branches;
  try {
    const when = whenOf(script);
    script.renderer.conditions = guards.length;
    write(draft);
    if (when) draft.operation.when = when;
    if (script.phase.groups.length > 0) draft.operation.group = script.phase.groups.join(' / ');
  } catch (error) {
    if (!(error instanceof Untranslated)) throw error;
    disable(script, draft, node, { url, method, error });
  }
  script.all.add(node);
  if (draft.disabled !== undefined) script.show(node);
  script.renderer.draft = null;
  script.renderer.conditionsOf.set(draft, guards.length);
  script.renderer.conditions = 0;
  script.phase.add(draft, guards);
  return sym('response', { draft, node });
}

/**
 * Makes an operation a comment.
 * @type {(script: Script, draft: OperationDraft, node: Node, of: { url: Value, method: Value, error: Untranslated }) =>
 *   void}
 */
function disable(script, draft, node, { url, method, error }) {
  const cause = error.node?.loc ? `: ${lineOf(error.node)}: ${shownInLine(error.node)}` : '';
  draft.disabled = `${error.message}${cause}`;
  draft.operation = {
    [typeof method === 'string' && /^[A-Z]+$/.test(method) ? method.toLowerCase() : 'url']: shownUrl(url),
  };
  draft.comments.push(`L${lineOf(node).slice(1)}:`, ...shownLines(node));
  script.skipped.push({ what: `${lineOf(node)}: ${shownInLine(node)}`, why: draft.disabled });
}

/** Shows a URL, with the expressions that are not known. @type {(url: Value) => string} */
function shownUrl(url) {
  if (typeof url === 'string') return url;
  const parts =
    url instanceof Sym && /** @type {any} */ (url).type === 'template' ? /** @type {any} */ (url).parts : [url];
  return parts
    .map((/** @type {Value} */ one) =>
      typeof one === 'string' ? one : `\${${one?.node ? shownInLine(one.node) : '…'}}`,
    )
    .join('');
}
