import { counted } from '../../../core/ground/decimal.js';
import { countRequests, newDraft, operationsOf, relativeToBase } from '../draft.js';
import { isRecord, itemsOf, member, membersOf, parseDocument } from '../read-document.js';
import { replaceSecrets } from '../secrets.js';
import { withSentAccept } from '../sent-bodies.js';
import { hasToken, settle, withOwnRandoms } from '../tokens.js';
import { ArtilleryValues, UUID, secondsOf, stepsOf } from './steps.js';

/** @import { DraftScenario, FlowDraft, ImportOptions, Supported } from '../import.js' */
/** @import { StepContext } from './steps.js' */

/** @type {Supported[]} */
export const supported = [
  { part: '`config.target`', becomes: '`baseUrl`' },
  {
    part: '`config.phases`: arrivalRate, rampTo, pause, maxVusers',
    becomes: '`runOptions`: `rate` and `duration`, or `stages`; `limit`',
  },
  { part: '`config.payload`', becomes: '`data`, and `#{payload.field}`' },
  { part: '`config.variables`', becomes: '`vars`; a list is `data`, of which each iteration has one' },
  {
    part: '`config.http.timeout`, `config.defaults` with headers and cookie, `config.tls.rejectUnauthorized`',
    becomes: '`runOptions`, `headers`',
  },
  { part: '`config.ensure`, `config.plugins.ensure`', becomes: '`thresholds`' },
  { part: '`scenarios` with name and weight', becomes: '`scenarios`, or `main` if there is one' },
  {
    part: 'requests: url, qs, headers, cookie, json, body, form, formData, auth, followRedirect, gzip',
    becomes: 'operations',
  },
  { part: '`capture` of JSON, of a header field and by a regular expression', becomes: '`capture`' },
  { part: '`match`, `expect`: statusCode, contentType, hasHeader, equals of JSON', becomes: '`expect`' },
  { part: '`think`', becomes: '`pause` of the request before it' },
  { part: '`loop` with `count`', becomes: '`repeat`, or the requests written out' },
  { part: '`before`, `after`', becomes: '`before`, `after`' },
  {
    part: '`{{ $uuid }}`, `{{ $randomNumber(1,9) }}`, `{{ $randomString(5) }}`, `{{ $environment.X }}`',
    becomes: 'tokens',
  },
  { part: '`parallel`', becomes: 'its requests, one after the other' },
  { part: 'functions of a processor, `ifTrue`, `whileTrue`, other engines than HTTP', becomes: null },
];

/**
 * Reads a script of Artillery.
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
  const config = member(document, 'config');
  const draft = newDraft();
  const skip = (/** @type {string} */ what, /** @type {string} */ why) => void draft.skipped.push({ what, why });
  const values = new ArtilleryValues(config, skip, options);
  const context = { values, skip };
  draft.phases.before = stepsOf(member(member(document, 'before'), 'flow'), 'before', context);
  draft.phases.after = values.scoped(() => stepsOf(member(member(document, 'after'), 'flow'), 'after', context));
  const scenarios = itemsOf(member(document, 'scenarios'))
    .filter(isRecord)
    .flatMap((one, i) => scenarioOf(one, String(one.name ?? `scenario ${i + 1}`).slice(0, 100), context));
  if (scenarios.length === 1) draft.phases.main = scenarios[0][1].main ?? [];
  else if (scenarios.length > 1) draft.scenarios = Object.fromEntries(uniqueNames(scenarios));
  const count = countRequests(draft, { path: options.from, cure: 'pass a script with HTTP scenarios' });
  draft.comments.push(`Made from ${counted(count, 'request')} of a script of Artillery by bench-rest import.`);
  if (operationsOf(draft).filter(({ operation }) => hasToken(JSON.stringify(operation), UUID)).length > 1)
    draft.dialectNotes.push('{{ $uuid }} differs from request to request; Artillery has one for each virtual user.');
  const target = member(config, 'target');
  const { runOptions: load, thresholds, notes } = loadOf(config);
  const defaults = member(config, 'defaults') ?? member(member(config, 'http'), 'defaults');
  const fields = membersOf(member(defaults, 'headers')).map(([name, value]) => [name, values.text(String(value))]);
  const cookies = membersOf(member(defaults, 'cookie')).map(([name, value]) => [
    name,
    values.text(String(value).replace(/;.*/s, '')),
  ]);
  const runOptions = { ...load, ...(cookies.length > 0 && { cookies: Object.fromEntries(cookies) }) };
  draft.properties = nonEmpty({
    headers: Object.fromEntries(fields),
    ...values.properties,
    runOptions,
    thresholds,
  });
  if (typeof target === 'string') {
    draft.baseUrl = values.address(target);
    if (/[^/]\/$/.test(target))
      draft.dialectNotes.push('The target ends with a slash: Artillery sends //path, and the flow /path.');
  }
  draft.dialectNotes.push(...values.notes, ...notes);
  return replaceSecrets(relativeToBase(withOwnRandoms(settle(withSentAccept(draft))), options.baseUrl), options);
}

/**
 * Translates a scenario; none if it has no requests of HTTP.
 * @type {(scenario: Record<string, any>, name: string, context: StepContext) => [string, DraftScenario][]}
 */
function scenarioOf(scenario, name, context) {
  const { engine, flow, weight } = scenario;
  if (engine !== undefined && engine !== 'http') {
    context.skip(name, `its engine is ${engine}`);
    return [];
  }
  for (const hook of ['beforeScenario', 'afterScenario', 'beforeRequest', 'afterResponse'])
    if (scenario[hook] !== undefined) context.skip(`${hook} of ${name}`, 'functions of a processor are not translated');
  const main = context.values.scoped(() => stepsOf(flow, name, context));
  return main.length > 0 ? [[name, { ...(Number(weight) > 0 && { weight: Number(weight) }), main }]] : [];
}

/** Numbers equal names. @type {(scenarios: [string, DraftScenario][]) => [string, DraftScenario][]} */
function uniqueNames(scenarios) {
  const names = new Set();
  return scenarios.map(([name, one]) => {
    let unique = name;
    for (let i = 2; names.has(unique); i++) unique = `${name} ${i}`;
    names.add(unique);
    return [unique, one];
  });
}

/** @type {(properties: Record<string, any>) => Record<string, any>} */
function nonEmpty(properties) {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined && Object.keys(value).length > 0),
  );
}

/**
 * Translates the phases, the time limits and the conditions of a script to run options and thresholds.
 * @type {(config: any) => { runOptions: Record<string, any>, thresholds: Record<string, string>, notes: string[] }}
 */
function loadOf(config) {
  /** @type {string[]} */
  const notes = [];
  const phases = itemsOf(member(config, 'phases')).filter(isRecord);
  const environments = membersOf(member(config, 'environments')).map(([name]) => name);
  if (environments.length > 0) notes.push(`The settings of the environments ${environments.join(', ')} are not read.`);
  const timeout = Number(member(member(config, 'http'), 'timeout'));
  const runOptions = {
    ...profileOf(phases, notes),
    ...(timeout > 0 && { timeout: timeout * 1000 }),
    ...(member(member(config, 'tls'), 'rejectUnauthorized') === false && { insecure: true }),
  };
  return { runOptions, thresholds: thresholdsOf(config, notes), notes };
}

/**
 * Translates phases to stages. A stage ends at its rate, so a phase that does not begin at the rate of the one before
 * follows a stage of 1 ms.
 * @type {(phases: Record<string, any>[], notes: string[]) => Record<string, any>}
 */
function profileOf(phases, notes) {
  /** @type {string[]} */
  const stages = [];
  let rate = 0;
  for (const phase of phases) {
    const { seconds = NaN, start = NaN, end = NaN } = ratesOf(phase);
    if (!(seconds >= 0 && start >= 0 && end >= 0)) {
      notes.push(`The phase ${JSON.stringify(phase).slice(0, 80)} is left out.`);
      continue;
    }
    if (start !== rate) stages.push(`1ms:${start}`);
    stages.push(`${seconds}s:${end}`);
    rate = end;
  }
  if (stages.length === 0) return {};
  return { ...(constantOf(stages) ?? { stages }), ...usersOf(phases, notes) };
}

/** @type {(phases: Record<string, any>[], notes: string[]) => { limit?: number }} */
function usersOf(phases, notes) {
  const most = phases.map(({ maxVusers }) => Number(maxVusers)).filter((users) => users > 0);
  if (most.length === 0) {
    notes.push('Artillery starts virtual users without a limit: pass -c, the most at a time, such as -c 100.');
    return {};
  }
  const limit = Math.max(...most);
  if (most.length < phases.length || most.some((users) => users < limit))
    notes.push(`maxVusers differs from phase to phase: limit is the highest, ${limit}.`);
  return { limit };
}

/** Returns the rate and duration of constant stages. @type {(stages: string[]) => Record<string, any> | undefined} */
function constantOf([first, second = '', ...more]) {
  const constant = /^1ms:([\d.]+)$/.exec(first ?? '')?.[1];
  const isConstant = constant !== undefined && second.endsWith(`s:${constant}`) && more.length === 0;
  return isConstant ? { rate: Number(constant), duration: second.split(':')[0] } : undefined;
}

/** @type {(phase: Record<string, any>) => { seconds?: number, start?: number, end?: number }} rates per second */
function ratesOf({ duration, arrivalRate, rampTo, arrivalCount, pause }) {
  const seconds = secondsOf(pause ?? duration);
  if (seconds === undefined) return {};
  if (pause !== undefined) return { seconds, start: 0, end: 0 };
  const start = Number(arrivalRate ?? (arrivalCount === undefined ? 0 : arrivalCount / seconds));
  return { seconds, start, end: rampTo === undefined ? start : Number(rampTo) };
}

/** @type {(config: any, notes: string[]) => Record<string, string>} */
function thresholdsOf(config, notes) {
  const given = [member(member(config, 'plugins'), 'ensure'), member(config, 'ensure')];
  /** @type {Record<string, string>} */
  const thresholds = {};
  const all = given.flatMap((ensure) => [
    ...membersOf(ensure).filter(([name]) => !['thresholds', 'conditions', 'strict'].includes(name)),
    ...itemsOf(member(ensure, 'thresholds')).flatMap((one) => membersOf(one)),
  ]);
  for (const one of given.flatMap((ensure) => itemsOf(member(ensure, 'conditions'))))
    notes.push(`The condition ${member(one, 'expression')} has no equivalent.`);
  for (const [name, limit] of all) {
    const figure = name.replace(/^http\.response_time\./, '');
    const status = /^http\.codes\.(\d{3})$/.exec(name)?.[1];
    const [, whole, rest] = /^p(\d\d?)(\d*)$/.exec(figure) ?? [];
    if (!(Number(limit) >= 0)) notes.push(`The condition ${name} is left out: its limit is no number.`);
    // p999 is the percentile 99.9. Artillery measures each request until the first byte of its response.
    else if (whole !== undefined) thresholds[`ttfb.p${whole}${rest && `.${rest}`}`] = `<${limit}ms`;
    else if (name === 'maxErrorRate') thresholds.errors = `<=${limit}%`;
    else if (/^(?:min|max|median|mean)$/.test(figure))
      thresholds[`ttfb.${figure.replace('median', 'p50')}`] = `<${limit}ms`;
    else if (status !== undefined) thresholds[`status.${status}`] = `<${limit}`;
    else notes.push(`The condition ${name} has no equivalent.`);
  }
  return thresholds;
}
