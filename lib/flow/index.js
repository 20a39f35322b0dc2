import { createProblems } from '../problems.js';
import { compile } from './compile.js';
import { normalize } from './normalize.js';

/**
 * @import { CompileOptions } from './compile.js'
 * @import { CompiledFlow, RawFlow } from './types.js'
 */

/**
 * @param {unknown} raw a URL, an operation, an array of them, or an object of phases
 * @returns {{ flow: RawFlow, compile: (options: CompileOptions) => CompiledFlow }} compile throws E_FLOW with all problems
 * @throws {Error} E_NO_MAIN
 */
export function readFlow(raw) {
  const problems = createProblems('E_FLOW');
  const flow = normalize(raw, problems);
  return {
    flow,
    compile(options) {
      const all = createProblems('E_FLOW');
      all.list.push(...problems.list);
      const compiled = compile(flow, options, all);
      all.throwIfAny();
      return compiled;
    },
  };
}
