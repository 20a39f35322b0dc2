import { expect } from 'chai';
import { parse } from 'yaml';

import { loadCommands } from '../../../lib/core/cli/commands/index.js';
import { workflow } from '../../../lib/addons/init/init-project.js';
import { readArguments } from '../../../lib/core/cli/options.js';
import { ROOT } from '../../support/command.js';

const commands = await loadCommands();

/** The flow and the options that the action gets. */
const stepOf = (url) => parse(workflow({ flow: 'flow.mjs', load: '-t 10s -c 10', url })).jobs.bench.steps.at(-1).with;

describe('the workflow that init writes', () => {
  for (const [what, url, serve] of [
    ['against the embedded target', undefined, {}],
    ['against a URL', new URL('http://localhost:3000/'), null],
  ]) {
    it(`runs the flow ${what}, with options that the command takes`, () => {
      const { flow, options: args } = stepOf(url);
      const context = { version: '', commands, env: {}, columns: 80, cwd: () => ROOT };
      const request = readArguments([...args.split(' '), flow], context);
      expect(request).to.deep.include({ source: { argument: 'flow.mjs' } });
      expect(request.companions.length).to.equal(serve === null ? 0 : 1);
    });
  }
});
