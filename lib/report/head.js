import { basename } from 'node:path';

import { loadText } from '../measure/document.js';
import { listOf, shortened } from '../text/format-value.js';

/** @import { Machine, Stats } from '../contracts/stats.js' */
/** @import { Result } from './types.js' */

/**
 * @typedef {object} Head the lines at the top of a page or a picture
 * @property {string} title
 * @property {string} subtitle the load and the target; empty if they are unknown
 * @property {string[]} about date, version and machine
 */

/** @type {(result: Pick<Result, 'title' | 'tool' | 'startedAt' | 'run' | 'operations' | 'loadGenerators'>) => Head} */
export function headOf({ title, tool, startedAt = '', run, operations, ...result }) {
  if (!run) return { title: title ?? 'result', subtitle: '', about: [] };
  const { flow } = run;
  return {
    title: title ?? (fileOf(flow.source) || (operations[0]?.name ?? 'flow')),
    subtitle: `${loadText(run)}${targetText(run)}`,
    about: [`${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`, toolText({ tool }), ...machineTexts(result)],
  };
}

/** @type {(result: Pick<Stats, 'tool'>) => string} */
export function toolText({ tool }) {
  return tool ? shortened(`${tool.name} ${tool.version}`, LONGEST) : 'bench-rest';
}

/**
 * The machines that sent the load: their runtime, and their system with its processor.
 *
 * @param {Pick<Stats, 'loadGenerators'>} result
 * @returns {string[]} one text for each if all machines are alike; empty if they are not known
 */
export function machineTexts({ loadGenerators = [] }) {
  const machines = loadGenerators.flatMap(({ machine }) => machine ?? []);
  const texts = [...new Set(machines.map((machine) => JSON.stringify([runtimeOf(machine), systemOf(machine)])))];
  if (texts.length > 1) return [`${machines.length} different machines`];
  return texts.flatMap((one) => JSON.parse(one)).flatMap((one) => (one === '' ? [] : shortened(one, LONGEST)));
}

/** `Node 20.20.2`. @type {(machine: Machine) => string} */
export function runtimeOf({ runtime = '' }) {
  return runtime.charAt(0).toUpperCase() + runtime.slice(1);
}

/** `linux, 8 x CPU`. @type {(machine: Machine) => string} */
function systemOf({ platform, cores, cpuModel }) {
  if (platform === undefined) return '';
  return `${platform}, ${cores} x ${cpuModel ?? 'CPU'}`;
}

/** The name of a file; empty for URLs, and for flows of the command line. @type {(from: string) => string} */
function fileOf(from) {
  return from === '-e' || /^\w+:\/\//.test(from) ? '' : basename(from);
}

/** Origins or proxies, and characters of each: a result of others may have any. */
const MOST = 5;
const LONGEST = 200;

/**
 * Tells where requests go, as part of a sentence about the load: ` against http://a, http://b through the proxy
 * http://p`; empty if nothing is known.
 * @type {(run: { origins: string[], proxies?: string[] }) => string}
 */
export function targetText({ origins, proxies = [] }) {
  const target = origins.length > 0 ? ` against ${someOf(origins)}` : '';
  return proxies.length > 0 ? `${target} through the proxy ${someOf(proxies)}` : target;
}

/** @type {(names: string[]) => string} */
function someOf(names) {
  return listOf(
    names.slice(0, MOST).map((name) => shortened(name, LONGEST)),
    MOST,
    names.length,
  );
}
