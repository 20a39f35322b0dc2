import { isRecord, itemsOf, member, membersOf } from '../read-document.js';

/**
 * Translates the phases, the time limits and the conditions of a script to run options and thresholds.
 * @type {(config: any) => { runOptions: Record<string, any>, thresholds: Record<string, string>, notes: string[] }}
 */
export function loadOf(config) {
  /** @type {string[]} */
  const notes = [];
  const phases = itemsOf(member(config, 'phases')).filter(isRecord);
  const timeout = Number(member(member(config, 'http'), 'timeout'));
  const runOptions = {
    ...profileOf(phases, notes),
    ...(timeout > 0 && { timeout: timeout * 1000 }),
    ...(member(member(config, 'tls'), 'rejectUnauthorized') === false && { insecure: true }),
  };
  return { runOptions, thresholds: thresholdsOf(config, notes), notes };
}

/** @type {(phases: Record<string, any>[], notes: string[]) => Record<string, any>} */
function profileOf(phases, notes) {
  /** @type {string[]} */
  const stages = [];
  let rate = 0;
  for (const phase of phases) {
    const { seconds = NaN, start = NaN, end = NaN } = ratesOf(phase);
    if (phase.maxVusers !== undefined)
      notes.push(`maxVusers ${phase.maxVusers}: pass -c ${phase.maxVusers}, the most virtual users at a time.`);
    if (!(seconds >= 0 && start >= 0 && end >= 0)) {
      notes.push(`The phase ${JSON.stringify(phase).slice(0, 80)} is left out.`);
      continue;
    }
    if (start !== rate) stages.push(`1ms:${start}`);
    stages.push(`${seconds}s:${end}`);
    rate = end;
  }
  if (stages.length > 0 && phases.every(({ maxVusers }) => maxVusers === undefined))
    notes.push('Artillery starts virtual users without a limit: pass -c, the most at a time, such as -c 100.');
  return constantOf(stages) ?? (stages.length > 0 ? { stages } : {});
}

/** A step and a stage of the same rate are a rate. @type {(stages: string[]) => Record<string, any> | undefined} */
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

/** @type {(given: unknown) => number | undefined} */
function secondsOf(given) {
  const [, number, unit = 's'] =
    /^\s*(\d+(?:\.\d+)?)\s*(ms|s|sec|seconds?|m|min|minutes?|h|hours?)?\s*$/.exec(String(given)) ?? [];
  if (number === undefined) return undefined;
  const factor = unit === 'ms' ? 0.001 : /^m/.test(unit) ? 60 : /^h/.test(unit) ? 3600 : 1;
  return Number(number) * factor;
}

/** @type {(config: any, notes: string[]) => Record<string, string>} */
function thresholdsOf(config, notes) {
  const given = [member(member(config, 'plugins'), 'ensure'), member(config, 'ensure')];
  /** @type {Record<string, string>} */
  const thresholds = {};
  const all = [
    ...given.flatMap((ensure) => membersOf(ensure).filter(([, value]) => typeof value === 'number')),
    ...given.flatMap((ensure) => itemsOf(member(ensure, 'thresholds')).flatMap((one) => membersOf(one))),
  ];
  for (const one of given.flatMap((ensure) => itemsOf(member(ensure, 'conditions'))))
    notes.push(`The condition ${member(one, 'expression')} has no equivalent.`);
  for (const [name, limit] of all) {
    const [, percentile] = /^(?:http\.response_time\.)?p(\d+)$/.exec(name) ?? [];
    if (percentile !== undefined) thresholds[`p${percentile}`] = `<${limit}ms`;
    else if (name === 'maxErrorRate') thresholds.errors = limit === 0 ? '<=0%' : `<${limit}%`;
    else if (/^(?:http\.response_time\.)?(?:max|median|mean)$/.test(name))
      thresholds[/median/.test(name) ? 'p50' : (name.split('.').at(-1) ?? name)] = `<${limit}ms`;
    else notes.push(`The condition ${name} has no equivalent.`);
  }
  return thresholds;
}
