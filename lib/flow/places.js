import { PHASES } from '../ground/phases.js';
import { capturedBy } from './captures/index.js';
import { Names } from './names.js';
import { FunctionEntry } from './normalize.js';

/** @import { Scenario } from '../contracts/step.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { Problems } from '../ground/types.js' */
/** @import { Feeders } from './data/feeders.js' */
/** @import { RawFlow } from './types.js' */

/**
 * @typedef {Pick<RawFlow, 'tokens' | 'vars' | 'phases' | 'scenarios' | 'beforeHooks' | 'afterHooks'>
 *   & Partial<Pick<RawFlow, 'user'>>} FlowOfPlaces
 *
 * @typedef {object} KnownBefore
 * @property {Names} names
 * @property {Map<string, string>} opened where each connection that operations share is opened, by its key
 */

/**
 * Creates the knowledge that the operations of a phase have from earlier ones: names of variables, and open
 * connections. The function is called once for each, in the order in which operations run. `before` and `after` run
 * once; what `before` captures is known everywhere. The scenarios of an iteration know what `beforeMain` of the flow
 * has, but nothing of each other; `afterMain` of the flow knows the variables of all of them.
 * @type {(flow: FlowOfPlaces, context: { seed: number, problems: Problems, feeders?: Feeders | null }) => (phase:
 *   Phase, scenario: Scenario | null) => KnownBefore}
 */
export function createPlaces(flow, { seed, problems, feeders = null }) {
  const { tokens, vars } = flow;
  const captured = capturesOf(flow);
  const everywhere = new Names({
    tokens,
    vars,
    seed,
    feeders,
    captured: new Map(captured.toReversed()),
    hasCode: hasCode(flow),
  });
  reportTaken(captured, everywhere, problems);
  const before = everywhere.fork({ once: 'before' });
  everywhere.add(capturesIn('before', flow).map(([name]) => name));
  const once = new Map();
  const iteration = { names: everywhere.fork(), opened: new Map() };
  /** @type {Map<Scenario, KnownBefore>} */
  const scenarios = new Map();
  return (phase, scenario) => {
    if (phase === 'before') return { names: before, opened: once };
    if (phase === 'after') return { names: everywhere.fork({ once: phase }), opened: once };
    if (scenario === null) {
      if (phase === 'afterMain') for (const { names } of scenarios.values()) iteration.names.add(names.variables);
      return iteration;
    }
    const place = scenarios.get(scenario) ?? {
      names: iteration.names.fork({ scenario: scenario.where }),
      opened: new Map(iteration.opened),
    };
    scenarios.set(scenario, place);
    return place;
  };
}

/** @type {(flow: FlowOfPlaces) => [name: string, where: string][]} */
function capturesOf(flow) {
  return PHASES.flatMap((phase) => capturesIn(phase, flow));
}

/** Reports whether hooks or functions may set variables. @type {(flow: FlowOfPlaces) => boolean} */
function hasCode({ phases, scenarios, beforeHooks, afterHooks, user }) {
  const entries = [phases, ...scenarios.map((scenario) => scenario.phases)].flatMap((one) => Object.values(one).flat());
  const operations = entries.flatMap((entry) => entry?.oneOf ?? entry ?? []);
  const hooks = [beforeHooks, afterHooks, ...operations.map((one) => [one?.beforeHooks, one?.afterHooks])];
  return (
    (user?.begin ?? null) !== null ||
    operations.some((entry) => entry instanceof FunctionEntry || typeof entry?.run === 'function') ||
    hooks.flat(2).some((hook) => typeof hook === 'function')
  );
}

/** @type {(phase: Phase, flow: FlowOfPlaces) => [name: string, where: string][]} */
function capturesIn(phase, { phases, scenarios }) {
  const sequences = [
    { where: `flow.${phase}`, operations: phases[phase] },
    ...scenarios.map((scenario) => ({ where: `${scenario.where}.${phase}`, operations: scenario.phases[phase] })),
  ];
  return sequences.flatMap(({ where, operations = [] }) =>
    operations.flatMap((entry, i) => capturedBy(entry, `${where}[${i}]`)),
  );
}

/** @type {(captured: [name: string, where: string][], names: Names, problems: Problems) => void} */
function reportTaken(captured, names, problems) {
  for (const [name, where] of captured) {
    const reason = names.refuseCapture(name);
    if (reason) problems.add(where, reason);
  }
}
