import { expect } from 'chai';

import { describeFlags, optionsOfFlags } from '../../../../lib/cli/mcp/flag-names.js';

describe('flags in texts for an assistant', () => {
  for (const [text, options] of [
    ['not steady: use -W 3s', { '-W': 'warmup' }],
    [
      'use --pacing thread (or -c 5), --keep-alive',
      { '--pacing': 'pacing', '-c': 'limit', '--keep-alive': 'keepAlive' },
    ],
    ['see --debug, -o page.html, --max-duration; --workers is refused', {}],
    ['x-W, 1-c, -5.2 %, --, ---c, - c', {}],
  ])
    it(text, () => expect(optionsOfFlags(text)).to.deep.equal(options));

  it('are described in one sentence', () => {
    expect(describeFlags({ '-W': 'warmup', '-c': 'limit' })).to.equal(
      '\nFlags are those of the command; in the options of run -W is warmup, -c is limit.',
    );
    expect(describeFlags({})).to.equal('');
  });
});
