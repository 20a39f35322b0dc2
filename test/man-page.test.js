import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { loadCommands } from '../lib/core/cli/commands/index.js';
import { createProgram } from '../lib/core/cli/options.js';
import { exitCodeRows } from '../lib/core/ground/exit-codes.js';
import { ROOT } from './support/command.js';

const text = readFileSync(join(ROOT, 'man/bench-rest.1'), 'utf8');
const program = createProgram({ version: '', commands: await loadCommands(), env: {}, submit() {} });

describe('man/bench-rest.1', () => {
  it('is part of the package', () => {
    const { man, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(man).to.equal('man/bench-rest.1');
    expect(files).to.include('man');
  });

  it('has every command, option and exit code', () => {
    const plain = text.replaceAll('\\-', '-').replace(/\\f[BIR]/g, '');
    for (const command of [program, ...program.commands]) {
      expect(plain).to.include(command.name());
      for (const { long, hidden } of command.options)
        if (long && !hidden) expect(plain).to.match(new RegExp(`^(-\\w, )?${long}\\b`, 'm'));
    }
    for (const { code } of exitCodeRows()) expect(plain).to.include(`\n.TP\n${code}\n`);
  });

  it('is ASCII, and has no line that roff would take for a request', () => {
    const requests = ['\\"', 'TH', 'SH', 'SS', 'TP', 'nf', 'fi'];
    for (const line of text.split('\n')) {
      expect(line).to.match(/^[\x20-\x7e]*$/);
      if (/^[.']/.test(line)) expect(requests, line).to.include(line.slice(1).split(' ')[0]);
    }
  });
});
