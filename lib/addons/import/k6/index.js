import { makeError } from '../../../core/ground/errors.js';
import { convertible } from '../../../core/text/convertible.js';
import { isSecretName } from '../../../core/text/mask.js';
import { mapOperations, mapTexts, newDraft, operationsOf, relativeToBase } from '../draft.js';
import { isRecord, member } from '../read-document.js';
import { replaceSecrets } from '../secrets.js';
import { withSentAccept } from '../sent-bodies.js';
import { settle } from '../tokens.js';
import { evaluated } from './builtins.js';
import { runOptionsOf } from './options.js';
import { parseScript } from './parse-script.js';
import { Script } from './script.js';
import { shownInLine } from './shown-source.js';
import { thresholdsOf } from './thresholds.js';
import { Fn, isStructure, isWritable, object, snapshot, Sym } from './values.js';

/** @typedef {any} Value */
/** @import { DraftScenario, FlowDraft, ImportOptions, OperationDraft, Supported } from '../import.js' */
/** @import { K6Scenario } from './options.js' */

/** @type {Supported[]} */
export const supported = [
  {
    part: '`http.get`, `post`, `put`, `patch`, `del`, `head`, `options`, `request`, `asyncRequest`, `batch`; URLs, bodies and fields made of constants, templates, `JSON.stringify`, `http.url`, `http.file`, `URL`, `FormData`',
    becomes: 'operations in their order, with `json`, `form`, `formData`, `body`',
  },
  {
    part: '`headers`, `tags`, `cookies`, `timeout`, `redirects`, `auth`, `responseCallback`',
    becomes: 'properties of the operation',
  },
  { part: '`check` of status, body, header fields, values of JSON', becomes: '`expect`' },
  { part: '`check` of `timings.duration`', becomes: 'a note with its threshold' },
  {
    part: '`res.json(…)`, `JSON.parse(res.body)`, header fields, cookies, `match`, `findBetween`',
    becomes: '`capture`, where a later request uses them',
  },
  { part: '`group`, `describe` of k6chaijs, `sleep`', becomes: '`group`, `pause`' },
  { part: '`SharedArray`, `JSON.parse(open(…))`, papaparse, lists of the script', becomes: 'feeders' },
  { part: '`__ENV`, `__VU`, `__ITER`, `k6/execution`', becomes: 'tokens; a default of `||` is written' },
  {
    part: '`Math.random()`, `Date.now()`, `uuidv4`, `randomItem`, `randomIntBetween`, expressions with them',
    becomes: 'tokens, built-in ones or functions',
  },
  {
    part: 'functions, classes, loops and conditions of the script',
    becomes: 'their operations; `when` for what only a run knows',
  },
  {
    part: 'modules with a relative path: JavaScript, TypeScript, JSON',
    becomes: 'the functions and values that the script imports',
  },
  { part: '`setup`, `teardown`, and what setup returns', becomes: '`before`, `after`' },
  { part: 'calls of gRPC', becomes: '`grpc`' },
  { part: '`vus`, `duration`, `iterations`, `stages`', becomes: '`runOptions`, and the command that is printed' },
  {
    part: '`scenarios`: constant-vus, ramping-vus, constant-arrival-rate, ramping-arrival-rate, shared-iterations, per-vu-iterations; `exec`, `env`, `tags`',
    becomes: '`runOptions`; of several `scenarios` with a `load` and `startAfter`',
  },
  {
    part: '`thresholds` of http_req_duration and other times, http_req_failed, http_reqs (also of a status), checks, iterations; of a name, a group, a tag, a scenario',
    becomes: '`thresholds`',
  },
  {
    part: '`insecureSkipTLSVerify`, `noConnectionReuse`, `userAgent`, `hosts`, `maxRedirects`',
    becomes: '`runOptions`, `headers`, `maxRedirects`',
  },
  {
    part: 'all else',
    becomes:
      'comments with the lines of the script: also calls that may send requests, and requests that are not reached',
  },
];

/**
 * Reads a script of k6: its requests are operations, its options the load and the thresholds. Nothing is run.
 * @throws {Error} E_FLOW_FILE if it is neither JavaScript nor TypeScript
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  const parsed = parseScript(text, options.from, { name: '', folder: options.folder });
  if ('reason' in parsed)
    throw makeError('E_FLOW_FILE', {
      path: options.from,
      reason: `cannot be parsed: line ${parsed.line}: ${parsed.reason}`,
      cure: 'correct it',
    });
  const { program } = parsed;
  const script = new Script(options);
  script.start(program);
  /** @type {string[]} */
  const notes = [];
  const given = optionsOf(script, notes);
  const {
    runOptions,
    headers,
    notes: more,
    command,
    scenarios,
    defaults,
  } = runOptionsOf(
    given,
    notes.some((one) => one.startsWith('vus: ')),
  );
  script.defaults = defaults;
  const draft = newDraft();
  const data = followSetup(script, draft);
  followMain(script, draft, given, scenarios, data);
  followTeardown(script, draft, data);
  draft.comments.push(...script.leaveLost([program, ...script.modules.programs], rootsOf(given)));
  addNotes(script);
  const rendered = finished(draft, script);
  const thresholds = thresholdsOf(given.thresholds, selectableIn(rendered, scenarios), more);
  const { renderer } = script;
  rendered.properties = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(renderer.data).length > 0 && {
      data: options.keepSecrets ? renderer.data : withoutSecretLists(script),
    }),
    ...(Object.keys(renderer.tokens).length > 0 && { tokens: renderer.tokens }),
    ...(Object.keys(runOptions).length > 0 && { runOptions }),
    ...(Object.keys(thresholds).length > 0 && { thresholds }),
  };
  rendered.comments = ['Made from a script of k6 by bench-rest import.', ...rendered.comments];
  rendered.skipped = script.skipped;
  rendered.dialectNotes = [
    ...(scenarios.length > 0 || command === '' || notes.some((one) => /no options/.test(one))
      ? []
      : [`The load of the script is: bench-rest ${command} <flow>`]),
    ...more,
    ...notes,
    ...script.notes,
  ];
  const base = relativeToBase(settle(withSentAccept(rendered, { Accept: null })), options.baseUrl);
  return replaceSecrets({ ...base, baseUrl: base.baseUrl ?? options.baseUrl }, options);
}

/** The functions of the script that k6 calls. @type {(given: Record<string, any>) => string[]} */
function rootsOf({ scenarios }) {
  const all = isRecord(scenarios) ? Object.values(scenarios) : [{}];
  return ['setup', 'teardown', ...all.map((one) => String(member(one, 'exec') ?? 'default'))];
}

/** Names what has no place in the flow. @type {(script: Script) => void} */
function addNotes(script) {
  if (script.exported('handleSummary') instanceof Fn)
    script.notes.add('handleSummary has no equivalent: reports are chosen with --format and -o.');
  for (const name of script.renderer.byUser)
    script.notes.add(`${name}: its rows follow the virtual users in k6, and the iterations here.`);
  for (const [name, { size }] of script.renderer.numbers)
    if (size > 1)
      script.notes.add(
        `${name}: the script reads its rows by ${size} different numbers; here each is the row of the iteration.`,
      );
  if (script.metrics.length > 0) script.notes.add(`Custom metrics have no equivalent: ${script.metrics.join(', ')}.`);
}

/** Replaces lists with secrets by files for the user to write. @type {(script: Script) => Record<string, any>} */
function withoutSecretLists({ renderer, notes }) {
  const entries = Object.entries(renderer.data).map(([name, feeder]) => {
    const columns = Object.keys(feeder.rows?.[0] ?? {});
    if (!columns.some((one) => isSecretName(one))) return [name, feeder];
    const { rows: _, ...others } = feeder;
    const file = `${name}.json`;
    notes.add(`The list ${name} has secrets: write it to ${file}, with ${columns.join(', ')}, or use --keep-secrets.`);
    return [name, { file, ...others }];
  });
  return Object.fromEntries(entries);
}

/** @type {(script: Script, draft: FlowDraft) => Value} what setup returns */
function followSetup(script, draft) {
  const setup = script.exported('setup');
  if (!(setup instanceof Fn)) return undefined;
  const { operations, value, rest } = script.follow('before', setup, []);
  draft.phases.before = operations;
  draft.comments.push(...rest);
  // k6 hands it on as JSON
  return snapshot(evaluated(script.run, value, setup.node, true));
}

/** @type {(script: Script, draft: FlowDraft, data: Value) => void} */
function followTeardown(script, draft, data) {
  const teardown = script.exported('teardown');
  if (!(teardown instanceof Fn)) return;
  draft.phases.after = phaseOf(script, draft, 'after', teardown, [data]);
  if ([draft.phases.before, draft.phases.after].every((one) => countSent(one ?? []) > 0))
    script.notes.add('Requests of teardown send the cookies of setup, which k6 does not: jar: false sends none.');
}

/** @type {(script: Script, draft: FlowDraft, phase: string, fn: Value, args: Value[]) => OperationDraft[]} */
function phaseOf(script, draft, phase, fn, args) {
  const { operations, rest } = script.follow(phase, fn, args);
  draft.comments.push(...rest);
  return operations;
}

/**
 * @type {(script: Script, draft: FlowDraft, given: Record<string, any>, scenarios: K6Scenario[], data: Value) =>
 *   void}
 */
function followMain(script, draft, given, scenarios, data) {
  /** @type {(code: string, settings: unknown) => OperationDraft[]} */
  const operationsOfFunction = (code, settings) => {
    const fn = script.exported(code);
    const own = isRecord(settings) ? settings : {};
    script.environment = object(isRecord(own.env) ? own.env : {});
    script.defaults = { ...script.defaults, tags: isRecord(own.tags) ? own.tags : undefined };
    const operations = fn instanceof Fn ? phaseOf(script, draft, 'main', fn, [data]) : [];
    if (!(fn instanceof Fn)) draft.comments.push(`The function ${code} is not in the script: write its requests.`);
    return operations;
  };
  const all = isRecord(given.scenarios) ? Object.entries(given.scenarios) : [];
  if (scenarios.length === 0) {
    const [name, only] = all.length === 1 ? all[0] : [];
    const exec = isRecord(only) && typeof only.exec === 'string' ? only.exec : 'default';
    draft.phases.main = operationsOfFunction(exec, name === undefined ? undefined : only);
    return;
  }
  draft.scenarios = Object.fromEntries(
    scenarios.map(({ name, code, settings: { load, ...others } }) => {
      /** @type {DraftScenario} */
      const scenario = {
        ...(Object.keys(load).length > 0 && { load }),
        ...others,
        main: operationsOfFunction(code, member(given.scenarios, name)),
      };
      return [name, scenario];
    }),
  );
}

/** Orders properties, and writes the values that change. @type {(draft: FlowDraft, script: Script) => FlowDraft} */
function finished(draft, script) {
  const change = script.renderer.finish();
  return mapOperations(draft, (one) => {
    const { capture, pause, when, ...operation } = one.operation;
    return {
      ...one,
      operation: mapTexts(
        {
          ...operation,
          ...(when !== undefined && { when }),
          ...(capture !== undefined && { capture }),
          ...(pause !== undefined && { pause }),
        },
        change,
      ),
    };
  });
}

/** @type {(draft: FlowDraft, scenarios: K6Scenario[]) => import('./thresholds.js').Selectable} */
function selectableIn(draft, scenarios) {
  /** @type {Map<string, number>} */
  const names = new Map();
  /** @type {Map<string, number>} */
  const groups = new Map();
  /** @type {Set<string>} */
  const tags = new Set();
  /** @type {Map<string, number>} */
  const requests = new Map(
    Object.entries(draft.scenarios ?? { '': draft.phases }).map(([name, { main = [] }]) => [name, countSent(main)]),
  );
  requests.set('', Math.max(...requests.values()));
  let hasChecks = false;
  let hasPauses = false;
  for (const { operation, disabled } of operationsOf(draft)) {
    if (disabled !== undefined) continue;
    const { name, group, expect } = operation;
    if (name !== undefined) names.set(name, (names.get(name) ?? 0) + 1);
    if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + 1);
    for (const [tag, value] of Object.entries(operation.tags ?? {})) tags.add(`${tag}:${value}`);
    hasChecks ||= expect !== undefined;
    hasPauses ||= operation.pause !== undefined;
  }
  return { names, groups, tags, scenarios: scenarios.map(({ name }) => name), hasChecks, hasPauses, requests };
}

/** @type {(drafts: OperationDraft[]) => number} */
function countSent(drafts) {
  return drafts.filter(({ disabled }) => disabled === undefined).length;
}

/** Reads options as data, and notes unknown ones. @type {(script: Script, notes: string[]) => Record<string, any>} */
function optionsOf(script, notes) {
  const given = script.exported('options');
  if (given === undefined) notes.push('The script has no options: choose the load with -c and -t.');
  else if (!isStructure(given) || !isWritable(given)) notes.push('The options of the script are not known.');
  /** @type {(value: Value, name: string) => any} */
  const plain = (value, name) => {
    if (value instanceof Sym) {
      const { node } = /** @type {any} */ (value);
      notes.push(`${name}: ${node?.loc ? shownInLine(node) : 'its value'} is an expression: its value is not known.`);
      return undefined;
    }
    if (Array.isArray(value)) return value.map((one) => plain(one, name)).filter((one) => one !== undefined);
    if (!isStructure(value)) return typeof value === 'function' || value instanceof Fn ? undefined : value;
    const members = Object.entries(value).map(([key, one]) => [key, plain(one, key)]);
    return Object.fromEntries(members.filter(([, one]) => one !== undefined));
  };
  return isStructure(given) && !Array.isArray(given) && isWritable(given) ? convertible(plain(given, 'options')) : {};
}
