import { PHASES } from '../ground/phases.js';
import { capturedBy } from './captures/index.js';
import { Names } from './names.js';
import { FunctionEntry } from './normalize.js';
import { operationListsOf } from './scenarios.js';

/** @import { CompiledScenario } from '../contracts/step.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { Problems } from '../ground/types.js' */
/** @import { Feeders } from './data/feeders.js' */
/** @import { RawFlow, Sequence } from './types.js' */

/**
 * @typedef {Pick<RawFlow, 'tokens' | 'vars' | 'phases' | 'scenarios' | 'beforeHooks' | 'afterHooks'>
 *   & Partial<Pick<RawFlow, 'user'>>} FlowOfSequences
 *
 * @typedef {{ seed: number, problems: Problems, feeders?: Feeders | null }} SequenceContext
 */

/**
 * Creates the function that returns what the operations of a phase, or of a scenario in it, know from earlier ones:
 * names of variables, and open connections. It has to be called in the order in which operations run, as compiling them
 * adds to what it returned. `before` and `after` run once; what `before` captures is known everywhere. The scenarios of
 * an iteration know what `beforeMain` of the flow has, but nothing of each other; `afterMain` of the flow knows the
 * variables of all of them.
 * @type {(flow: FlowOfSequences, context: SequenceContext) => (phase: Phase, scenario: CompiledScenario | null) =>
 *   Sequence}
 */
export function createSequences(flow, context) {
  const everywhere = namesOf(flow, context);
  // A copy from before the captures of `before` are added: its own operations know only earlier ones.
  const beforeNames = everywhere.fork({ once: 'before' });
  everywhere.add(capturesIn('before', flow).map(([name]) => name));
  /** Connections of `before`, which `after` can close. */
  const openedByBefore = new Map();
  const iteration = { names: everywhere.fork(), opened: new Map() };
  /** @type {Map<CompiledScenario, Pick<Sequence, 'names' | 'opened'>>} */
  const scenarios = new Map();

  /** @type {(scenario: CompiledScenario) => Pick<Sequence, 'names' | 'opened'>} */
  const knownIn = (scenario) => {
    const { names, opened } = iteration;
    const known = scenarios.get(scenario) ?? {
      names: names.fork({ scenario: scenario.where }),
      opened: new Map(opened),
    };
    scenarios.set(scenario, known);
    return known;
  };

  return (phase, scenario) => {
    if (phase === 'before') return { phase, scenario, names: beforeNames, opened: openedByBefore };
    if (phase === 'after') return { phase, scenario, names: everywhere.fork({ once: phase }), opened: openedByBefore };
    if (scenario !== null) return { phase, scenario, ...knownIn(scenario) };
    if (phase === 'afterMain') for (const { names } of scenarios.values()) iteration.names.add(names.variables);
    return { phase, scenario, ...iteration };
  };
}

/** Refuses captures with such a name. @type {(flow: FlowOfSequences, context: SequenceContext) => Names} */
function namesOf(flow, { seed, problems, feeders = null }) {
  const { tokens, vars } = flow;
  const captures = PHASES.flatMap((phase) => capturesIn(phase, flow));
  // The last entry of a name wins: that of the first capture.
  const captured = new Map(captures.toReversed());
  const names = new Names({ tokens, vars, seed, feeders, captured, hasCode: hasCode(flow) });
  for (const [name, where] of captures) {
    const reason = names.refuseCapture(name);
    if (reason) problems.add(where, reason);
  }
  return names;
}

/** Reports whether hooks or functions may set variables that tokens read. @type {(flow: FlowOfSequences) => boolean} */
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

/** @type {(phase: Phase, flow: FlowOfSequences) => [name: string, where: string][]} */
function capturesIn(phase, flow) {
  return operationListsOf(phase, flow).flatMap(({ where, operations }) =>
    operations.flatMap((entry, i) => capturedBy(entry, `${where}[${i}]`)),
  );
}
