import { extname } from 'node:path';

import { Option } from 'commander';

import { SOURCES } from './sources.js';
import { collect } from '../../core/cli/flags/argument-parser.js';
import { usageError } from '../../core/cli/usage-error.js';

/** @import { CommandModule } from '../../core/cli/types.js' */
/** @import { ImportRequest } from './requests.js' */

/** The formats of written flows, by the extension of their files. @type {Record<string, ImportRequest['format']>} */
const WRITTEN_FORMATS = {
  '.mjs': 'mjs',
  '.js': 'mjs',
  '.mts': 'mjs',
  '.ts': 'mjs',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.json': 'json',
};

/** The formats of flows that are printed, also by the tools of `bench-rest mcp`. */
export const PRINTED_FORMATS = [...new Set(Object.values(WRITTEN_FORMATS))];

/** Writes a flow from what other tools have. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command
      .argument('[source...]', `a file, or - for standard input: ${SOURCES.map(({ name }) => name).join(', ')}`)
      .option('-e, --evaluate <text>', 'import this text, such as a curl command')
      .option('-o, --output <file>', 'write the flow to this file: .mjs, .yaml or .json (default: print it)')
      .addOption(new Option('--format <format>', 'format of a flow that is printed').choices(PRINTED_FORMATS))
      .addOption(
        new Option('--from <source>', 'kind of the source (default: detected)').choices(
          SOURCES.map(({ name }) => name),
        ),
      )
      .option('--base-url <url>', 'base URL of the flow, in place of that of the source')
      .option('--keep-secrets', 'write passwords, tokens and cookies into the flow, instead of #{env.NAME}')
      .option('--force', 'replace the file of -o if it exists');
    for (const option of optionsOfSources()) command.addOption(option);
    command.action((sources, options) => submit(requestOf(sources, options)));
  },

  /** @param {ImportRequest} request */
  async run(request, io) {
    const { importFlow } = await import('./import-flow.js');
    return importFlow(request, io);
  },
};

/** A flag of several sources is one option. @type {() => Iterable<Option>} */
function optionsOfSources() {
  /** @type {Map<string, Option>} */
  const options = new Map();
  for (const { name, flags = [] } of SOURCES)
    for (const { flag, about, repeatable } of flags) {
      const option = options.get(flag);
      const text = `${name}: ${about}${repeatable ? '; repeatable' : ''}`;
      if (option) option.description += `; ${text}`;
      else options.set(flag, repeatable ? new Option(flag, text).argParser(collect) : new Option(flag, text));
    }
  return options.values();
}

/** @type {(sources: string[], options: Record<string, any>) => ImportRequest} */
function requestOf(sources, { evaluate, output, format, from, force = false, ...options }) {
  // options: --base-url, --keep-secrets and the flags of the sources
  if (evaluate !== undefined && sources.length > 0)
    throw usageError(`use either a source (${sources[0]}) or -e, not both`);
  if (evaluate === undefined && sources.length === 0)
    throw usageError("a source is missing; try: bench-rest import -e 'curl http://localhost:8000/'");
  return { command: 'import', sources, evaluate, output, format: formatOfFlow(output, format), from, force, options };
}

/**
 * Finds the format of a flow by the extension of its file.
 * @throws {Error} E_USAGE
 * @type {(output: string) => ImportRequest['format']}
 */
export function writtenFormat(output) {
  const format = WRITTEN_FORMATS[extname(output).toLowerCase()];
  if (format !== undefined) return format;
  throw usageError(`-o ${output}: write the flow to a file with the extension .mjs, .yaml or .json`);
}

/** @type {(output: string | undefined, format?: ImportRequest['format']) => ImportRequest['format']} */
function formatOfFlow(output, format) {
  if (output === undefined) return format ?? 'mjs';
  const byName = writtenFormat(output);
  if (format !== undefined && format !== byName)
    throw usageError(`-o ${output} is ${byName}, and --format is ${format}: use one of them`);
  return byName;
}
