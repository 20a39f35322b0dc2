import { ITERATION_PHASES } from '../ground/phases.js';
import { createChoice } from '../ground/random.js';
import { typeName } from '../text/format-value.js';
import { maskText } from '../text/mask.js';
import { isRecord } from './record.js';

/** @import { RawFlow, RawScenario } from './types.js' */
/** @import { Operation, CompiledScenario } from '../contracts/step.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { Problems } from '../ground/types.js' */

/** @typedef {(value: unknown, path: string, problems: Problems) => Operation[]} ReadOperations */

/**
 * The properties of a scenario: the type, the schema and documents are generated from them.
 * @type {Record<string, { about: string, type: string, schema: Record<string, unknown>, default?: unknown,
 *   isRequired?: boolean, isExperimental?: true }>}
 */
export const SCENARIO_PROPERTIES = {
  weight: {
    about: 'share of the iterations that run this scenario; default: in turn, or 1 if another one has a weight',
    type: 'number',
    schema: { type: 'number', exclusiveMinimum: 0 },
  },
  load: {
    isExperimental: true,
    about: 'a load of its own, beside those of other scenarios; default: a share of the load of the run',
    type: 'ScenarioLoad',
    schema: { $ref: '#/$defs/load' },
  },
  startAfter: {
    isExperimental: true,
    about: "when its own load begins: after a time such as '30s', or after the load of another scenario",
    type: 'number | string',
    schema: { type: ['number', 'string'] },
  },
  beforeMain: {
    about: 'operations at the start of its iterations, after those of the flow',
    type: 'Operations',
    schema: { $ref: '#/$defs/operations' },
    default: [],
  },
  main: {
    about: 'operations of its iterations; their time is measured',
    type: 'Operations',
    schema: { $ref: '#/$defs/operations' },
    isRequired: true,
  },
  afterMain: {
    about: 'operations at the end of its iterations, even after an error, before those of the flow',
    type: 'Operations',
    schema: { $ref: '#/$defs/operations' },
    default: [],
  },
};

/** @type {(value: unknown, readOperations: ReadOperations, problems: Problems) => RawScenario[]} */
export function readScenarios(value, readOperations, problems) {
  if (value === undefined || value === null) return [];
  if (!isRecord(value)) {
    problems.add('flow.scenarios', `${EXPECTED}, got ${typeName(value)}`);
    return [];
  }
  const entries = Object.entries(/** @type {Record<string, unknown>} */ (value));
  if (entries.length === 0) problems.add('flow.scenarios', `is empty: ${EXPECTED}`);
  return entries.flatMap(([name, scenario]) => readScenario(name, scenario, readOperations, problems) ?? []);
}

const EXPECTED = "expected an object of scenarios such as { buy: { weight: 2, main: [{ get: '/' }] } }";

/** @type {(name: string, value: any, readOperations: ReadOperations, problems: Problems) => RawScenario | null} */
function readScenario(name, value, readOperations, problems) {
  const where = `flow.scenarios.${name}`;
  if (name.trim() === '') problems.add('flow.scenarios', 'has a scenario without a name');
  if (!isRecord(value)) {
    problems.add(where, `expected a scenario such as { weight: 2, main: [{ get: '/' }] }, got ${typeName(value)}`);
    return null;
  }
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(SCENARIO_PROPERTIES, key))
      problems.refuseUnlessOwn(`${where}.${key}`, 'key of a scenario', key, Object.keys(SCENARIO_PROPERTIES));
  }
  if (value.skip === true) problems.add(`${where}.skip`, 'is for operations: remove the scenario from the flow');
  const { weight, load, startAfter } = value;
  const isValidWeight = Number.isFinite(weight) && weight > 0;
  if (weight !== undefined && !isValidWeight)
    problems.add(`${where}.weight`, `expected a number above 0, got ${typeName(weight)}`);
  if (weight !== undefined && load !== undefined)
    problems.add(`${where}.weight`, 'is its share of the load of the run, but it has a load of its own: remove one');
  const phases = Object.fromEntries(
    ITERATION_PHASES.map((phase) => [phase, readOperations(value[phase], `${where}.${phase}`, problems)]),
  );
  if (phases.main.length === 0) problems.add(where, "has no operations: write main: [{ get: '/' }]");
  return {
    ...{ name, where, phases, ...(isValidWeight && { weight }) },
    ...(load !== undefined && { load }),
    ...(startAfter !== undefined && { startAfter }),
  };
}

/**
 * @typedef {object} OperationList consecutive operations of a phase
 * @property {string} where `flow.main`, `flow.scenarios.buy.main`
 * @property {Operation[]} operations
 * @property {number | null} at the position of their scenario in the flow; null: of all iterations
 */

/**
 * Lists the operations of a phase: those of all iterations, and those of each scenario. What the flow sets up for all
 * scenarios comes first, and is torn down last.
 * @type {(phase: Phase, flow: Pick<RawFlow, 'phases' | 'scenarios'>) => OperationList[]}
 */
export function operationListsOf(phase, { phases: common, scenarios }) {
  const shared = { where: `flow.${phase}`, operations: common[phase] ?? [], at: null };
  const separate = scenarios.map(({ where, phases }, at) => ({
    where: `${where}.${phase}`,
    operations: phases[phase] ?? [],
    at,
  }));
  return phase === 'afterMain' ? [...separate, shared] : [shared, ...separate];
}

/**
 * Creates the scenarios. Each iteration of a load runs one of its scenarios, in turn or by weight: the scenarios of a
 * load have the same `choose`, which returns the position among them (`at`) of the one that is run. Scenarios without a
 * load of their own share load 0, that of the run; the others have one each.
 * @type {(raw: RawScenario[], seed: number) => CompiledScenario[]}
 */
export function createScenarios(raw, seed) {
  const shared = raw.filter(({ load }) => load === undefined);
  const own = raw.filter(({ load }) => load !== undefined);
  const loads = [...(shared.length > 0 ? [shared] : []), ...own.map((one) => [one])];
  const scenarios = new Map(loads.flatMap((together, load) => ofOneLoad(together, load, seed)));
  return raw.map((one) => /** @type {CompiledScenario} */ (scenarios.get(one)));
}

/** @type {(raw: RawScenario[], load: number, seed: number) => [RawScenario, CompiledScenario][]} */
function ofOneLoad(raw, load, seed) {
  const choose = createChoice(
    raw.map(({ weight }) => weight),
    { seed, place: 'flow.scenarios' },
  );
  const names = raw.map(({ name }) => maskText(name));
  return raw.map((one, at) => [one, { name: names[at], where: one.where, load, at, names, choose }]);
}
