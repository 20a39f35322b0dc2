import { expect } from 'chai';
import { Option } from 'commander';

import { valueIn } from '../../../lib/core/cli/program.js';
import { RUN_OPTIONS } from '../../../lib/core/run/options/index.js';

describe('cli/program', () => {
  it('finds the value of a flag where commander has put it, whatever its form', () => {
    const own = RUN_OPTIONS.flatMap(({ flag, parts = [] }) => [flag, ...parts.map((part) => part.flag)]);
    const others = ['-z <n>', '--zd, --zed <n>', '--zed.x <n>', '--größe <n>', '--Zed_x', '--nose', '--no-nose'];
    for (const flag of [...own, ...others].filter(Boolean))
      expect(valueIn({ [new Option(flag).attributeName()]: 'given' }, flag), flag).to.equal('given');
  });
});
