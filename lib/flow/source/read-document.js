import { makeError } from '../../errors.js';
import { createProblems } from '../../problems.js';
import { DIALECTS } from './dialects/index.js';
import { flowFault } from './formats/flow-fault.js';

/**
 * Makes a raw flow of a parsed document: the value itself, unless it is of a dialect.
 *
 * @param {unknown} value of JSON or YAML
 * @param {string} from path of the file, for messages
 * @returns {unknown} the raw flow
 * @throws {Error} E_FLOW_FILE if it cannot be a flow, E_FLOW with all problems of a dialect
 */
export function readDocument(value, from) {
  const got = flowFault(value);
  if (got) {
    throw makeError('E_FLOW_FILE', {
      path: from,
      reason: `contains ${got}`,
      cure: 'write a URL, an array or an object',
    });
  }
  const dialect = DIALECTS.find(({ recognizes }) => recognizes(value));
  if (!dialect) return value;
  const problems = createProblems('E_FLOW');
  const flow = dialect.toFlow(value, problems);
  problems.list.forEach((problem) => (problem.path = problem.path ? `${from}: ${problem.path}` : from));
  problems.throwIfAny();
  return flow;
}
