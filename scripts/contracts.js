import { AUTH_MEMBERS } from '../lib/core/flow/auth.js';
import { EXPECTATION_MEMBERS } from '../lib/core/flow/checks/index.js';
import { COMPARISONS } from '../lib/core/flow/comparisons.js';
import { DEFINITION } from '../lib/core/flow/data/open-feeders.js';
import { FLOW_PROPERTIES } from '../lib/core/flow/normalize.js';
import { METHOD_KEYS, PROPERTIES } from '../lib/core/flow/properties.js';
import { SCENARIO_PROPERTIES } from '../lib/core/flow/scenarios.js';
import { OLD_OPTIONS } from '../lib/core/flow/settle-operation.js';
import { KINDS } from '../lib/core/ground/errors.js';
import { PHASES } from '../lib/core/ground/phases.js';
import { HOOKS } from '../lib/core/hooks/index.js';
import { COUNTERS, FIGURES, HISTOGRAMS } from '../lib/core/measure/figures.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { LOAD_OPTIONS } from '../lib/core/run/options/load.js';
import { markedRows } from './experimental.js';
import { sentence, withDefault, wrapped } from './text.js';

/** The types in lib/core/contracts that the tables make: flows, run options, and the names of figures. */

/** The keys with a URL that need `method` beside them; each of the others means a method, or a protocol. */
const WITH_METHOD = ['uri', 'url'];
const URL_KEYS = METHOD_KEYS.filter((key) => key !== 'method');
const MADE = 'Made from tables by `npm run generate`: change a row, not this file.';

/** Names of hooks, the properties of an operation, and a flow with phases. Editors show the text of each property. */
export function flowTypes() {
  const own = Object.entries({ ...markedRows('operations', PROPERTIES), ...OLD_OPTIONS.properties }).filter(
    ([name]) => !METHOD_KEYS.includes(name),
  );
  const flow = Object.entries(FLOW_PROPERTIES).filter(([name]) => name !== 'scenarios');
  return `import type { CallScope, Computed, FieldValue, FunctionStep, Operations, Scope } from './flows.js';
import type { ThinkTime, TlsMaterial, TokenValue } from './flows.js';
import type { Hook, HookResponse } from './hooks.js';
import type { GivenRunOptions, ScenarioLoad } from './run-options.js';
import type { SectionFunction, Thresholds } from './run.js';

${comment(MADE)}

/** The name of a built-in hook. */
export type HookName = ${HOOKS.map(({ name }) => `'${name}'`).join(' | ')};

/** Comparisons of one value, all of which must pass. */
${members('Comparisons', COMPARISONS.map(propertyOf))}
/** Conditions that the response of an operation must meet. */
${members(
  'Expectation extends BenchRest.Checks',
  EXPECTATION_MEMBERS.map((row) => propertyOf(markedRows('checks', { [row.name]: row })[row.name])),
)}
/** Credentials of an operation. */
${members('Auth', Object.entries(AUTH_MEMBERS).map(namedProperty))}
${URL_KEYS.map(requestType).join('\n')}
/** The method and the URL of an operation: one key for both, or method and uri. */
export type MethodAndUrl = ${URL_KEYS.map(requestName).join(' | ')};

/** The properties of an operation beside method and URL. */
${members('OperationCommon', own.map(namedProperty))}
/** A scenario of a flow. */
${members('Scenario', Object.entries(markedRows('scenarios', SCENARIO_PROPERTIES)).map(namedProperty))}
/** The rows of a feeder, and which of them each iteration gets. */
${members('FeederOptions', Object.entries(DEFINITION).map(namedProperty))}
/** A feeder: a file of rows, rows, or an object. */
export type FeederDefinition = string | Record<string, unknown>[] | FeederOptions;

/** A flow with phases. */
${members('PhasesFlow', flow.map(namedProperty))}`;
}

/** Run options as a program gives them, and as a run works with them. */
export function runOptionTypes() {
  const given = RUN_OPTIONS.map(({ name, type, about, default: value }) =>
    property(`${name}?`, type, withDefault(about, value)),
  );
  const read = RUN_OPTIONS.flatMap(({ name, type, parsed = type, default: value }) => {
    const isAlways = value !== undefined || name === 'limit';
    return isAlways || parsed !== type ? [`  ${isAlways ? name : `${name}?`}: ${parsed};`] : [];
  });
  const derived = [
    property('variables', 'Record<string, string>', 'Derived from envFiles.'),
    property('iterationsOfLane?', 'number', 'Derived from maxRequestsPerUser: iterations of one virtual user.'),
    property('proxies', 'ProxySettings', 'Derived from proxy, noProxy and the environment.'),
    property('loads?', 'SideLoad[]', 'Derived from the scenarios of the flow: of a run with several.'),
  ];
  return `import type { FieldValue, ThinkTime, TlsMaterial } from './flows.js';
import type { PrecisionGoal, Shard, Stage, StageFile, Start, StartOptions, Target, Thresholds } from './run.js';
import type { PlannedStage, SideLoad } from './schedule.js';
import type { ThinkTimeMs } from '../ground/units.js';
import type { ProxySettings } from '../http/proxy.js';

${comment(MADE)}

/** Run options of a program: times in ms or as texts such as \`'30s'\`; counts may be texts such as \`'10k'\`. */
${members('GivenRunOptions', given)}
/** The load of a scenario: options that a run with one load has for itself. */
export type ScenarioLoad = Pick<GivenRunOptions, ${union(LOAD_OPTIONS)}>;

/** Options that a run always has, or in another form: times in ms. */
${members('ReadRunOptions', [...read, ...derived])}
/** Run options, read and checked. */
export type RunOptions = Omit<GivenRunOptions, keyof ReadRunOptions> & ReadRunOptions;
`;
}

/** The types of figures in a result, which a unit has. @type {Record<string, string>} */
const QUANTITIES = { '': 'Amount', ms: 'Ms', '/s': 'Rate', 'B/s': 'ByteRate', ratio: 'Ratio' };

/** The names of counters and histograms, and the figures of a result by their groups. */
export function figureNames() {
  return `import type { Amount, ByteRate, Count, Ms, Rate, Ratio } from './quantities.js';
import type { Times } from './summaries.js';

${comment(MADE)}

export type CounterPath = ${union(COUNTERS.map(({ path }) => path))};

export type HistogramPath = ${union(HISTOGRAMS.map(({ path }) => path))};

${oneOf('ErrorKind', 'errorKind', Object.keys(KINDS))}
${oneOf('PhaseName', 'phase', PHASES)}
export type HistogramKey = ${union(HISTOGRAMS.map(({ key }) => key))};

/** The names of a group of paths: \`started\` and others of \`iterations\`. */
export type NameIn<Group extends string, Path extends string> = Path extends \`\${Group}.\${infer Name}\`
  ? Name extends \`\${string}.\${string}\` ? never : Name
  : never;

/** The figures of a result by their groups. */
${members('Figures', [...new Set(FIGURES.map(groupOf))].map(figureGroup))}`;
}

/** @type {(row: { path: string }) => string} */
const groupOf = ({ path }) => path.split('.')[0];

/** @type {(group: string) => string} */
function figureGroup(group) {
  return `  ${group}: {\n${FIGURES.filter((row) => groupOf(row) === group)
    .map(figure)
    .join('\n')}\n  };`;
}

/** @type {(row: typeof FIGURES[number]) => string} */
function figure({ path, kind, unit, isOptional = false, isExperimental = false }) {
  const quantity = QUANTITIES[unit];
  const type = { count: 'Count', number: quantity, histogram: 'Times', nullable: `${quantity} | null` }[kind];
  const about = [kind === 'count' ? unit : '', isExperimental ? '@experimental' : ''].filter(Boolean).join(' ');
  const name = `${path.split('.')[1]}${isOptional ? '?' : ''}`;
  return about === '' ? `    ${name}: ${type};` : property(name, type, about);
}

/**
 * A text of which JSON Schemas know the values: later versions may add some.
 * @type {(name: string, definition: string, values: string[]) => string}
 */
function oneOf(name, definition, values) {
  const all = values.map((value) => JSON.stringify(value)).join(', ');
  const tag = wrapped(`@values [${all}]`, { first: ' * ', rest: ' *   ' });
  return `/**\n * @definition ${definition}\n${tag}\n */\nexport type ${name} = string;\n`;
}

/** @type {(names: string[]) => string} */
const union = (names) => names.map((name) => `'${name}'`).join(' | ');

/** @type {(name: string, properties: string[]) => string} */
const members = (name, properties) => `export interface ${name} {\n${properties.join('\n')}\n}\n`;

/** @type {(key: string) => string} */
const requestName = (key) => `${sentence(key)}Request`;

/** @type {(key: string) => string} */
function requestType(key) {
  const method = WITH_METHOD.includes(key) ? [namedProperty(['method', PROPERTIES.method])] : [];
  return members(requestName(key), [...method, propertyOf({ name: key, ...PROPERTIES[key], isRequired: true })]);
}

/** @type {(entry: [string, Omit<Parameters<typeof propertyOf>[0], 'name'>]) => string} */
const namedProperty = ([name, row]) => propertyOf({ ...row, name });

/** @type {(row: { name: string, type: string, about: string, isRequired?: boolean, default?: unknown }) => string} */
function propertyOf({ name, type, about, isRequired = false, default: value }) {
  return property(isRequired ? name : `${name}?`, type, withDefault(about, value));
}

/** @type {(name: string, type: string, about: string) => string} */
function property(name, type, about) {
  const [text, isExperimental] = [about.replace(' (experimental)', ''), about.includes(' (experimental)')];
  return `${comment(isExperimental ? `${text} @experimental` : text, '  ')}\n  ${name}: ${type};`;
}

/** @type {(text: string, indent?: string) => string} */
function comment(text, indent = '') {
  const line = `${indent}/** ${text} */`;
  if (line.length <= 120) return line;
  return `${indent}/**\n${wrapped(text, { first: `${indent} * `, rest: `${indent} * ` })}\n${indent} */`;
}
