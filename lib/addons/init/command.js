import { InvalidArgumentError, Option } from 'commander';

import { maskText } from '../../core/text/mask.js';
import { secretParser } from '../../core/cli/flags/argument-parser.js';

/** @import { CommandModule } from '../../core/cli/types.js' */
/** @import { InitRequest } from './requests.js' */

const URL_FLAG = '--url <url>';

/** Writes a first flow, an npm script and a workflow; or an add-on. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command
      .option(URL_FLAG, 'what the flow requests (default: the embedded target)', secretParser(URL_FLAG, readUrl))
      .option('--typescript', 'write flow.ts (default: if there is a tsconfig.json)')
      .option('--no-typescript', 'write flow.mjs')
      .option('--workflow', 'write .github/workflows/bench.yml (default: at the root of a git repository)')
      .option('--no-workflow', 'write no workflow')
      .addOption(
        new Option('--addon', 'write an add-on with a protocol, and a flow that uses it, instead').conflicts([
          'url',
          'typescript',
          'workflow',
        ]),
      )
      .action((options) => submit({ command: 'init', ...options }));
  },

  /** @param {InitRequest} request */
  async run(request, io) {
    const { initAddon, initProject } = await import('./init-project.js');
    return request.addon ? initAddon(request.version, io) : initProject(request, io);
  },
};

/** @type {(text: string) => URL} */
function readUrl(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('Expected a URL such as http://localhost:3000/.');
  if (maskText(url.href) !== url.href)
    throw new InvalidArgumentError('A file is no place for credentials: see BENCH_REST_USER and BENCH_REST_PASSWORD.');
  return url;
}
