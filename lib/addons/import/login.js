import { isSecretName } from '../../core/text/mask.js';

/** @import { FlowDraft, OperationDraft } from './import.js' */

export const LOGS_IN = 'Logs in at the start of every iteration; the time is not measured.';
/** The most reads in front of a request that is taken for a login. */
const MOST_BEFORE = 5;

/**
 * Moves a login at the start of main to beforeMain: a request whose response has the credentials of later ones, and
 * nothing else that they need. Reads in front of it stay in main.
 * @type {(draft: FlowDraft) => FlowDraft}
 */
export function loginFirst(draft) {
  const { phases } = draft;
  const { before, beforeMain, main } = phases;
  const at = main.findIndex(({ operation }) => !isRead(operation));
  const login = main[at];
  const hasSetup = before.length + beforeMain.length > 0;
  if (!login || at > MOST_BEFORE || hasSetup || !isLogin(login, main, at)) return draft;
  const moved = { ...login, comments: [...login.comments, LOGS_IN] };
  return { ...draft, phases: { ...phases, beforeMain: [moved], main: main.filter((one) => one !== login) } };
}

/** @type {(operation: Record<string, any>) => boolean} */
function isRead({ get, head, method = '' }) {
  return get !== undefined || head !== undefined || /^(?:GET|HEAD)$/.test(method);
}

/** @type {(login: OperationDraft, main: OperationDraft[], at: number) => boolean} */
function isLogin({ operation, disabled }, main, at) {
  const names = Object.keys(operation.capture ?? {});
  const later = main.slice(at + 1).map((one) => one.operation);
  // The login would run before a read whose value it may need.
  const mayNeedReads = main.slice(0, at).some((one) => Object.keys(one.operation.capture ?? {}).length > 0);
  if (disabled !== undefined || names.length === 0 || mayNeedReads) return false;
  const used = later.filter((one) => has(one, names));
  return used.length > 0 && used.every((one) => !has(withoutCredentials(one), names));
}

/** @type {(value: unknown, names: string[]) => boolean} */
function has(value, names) {
  const text = JSON.stringify(value);
  return names.some((name) => text.includes(`#{${name}}`) || text.includes(`#{${name}:`));
}

/** @type {(operation: Record<string, any>) => Record<string, any>} */
function withoutCredentials({ auth: _, cookies: __, headers = {}, ...operation }) {
  return { ...operation, headers: Object.entries(headers).filter(([name]) => !isSecretName(name)) };
}
