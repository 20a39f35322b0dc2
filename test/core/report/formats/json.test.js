import { expect } from 'chai';

import { render } from '../../../../lib/core/report/formats/json.js';
import { literalStats } from '../../../support/literal-stats.js';

describe('a result as JSON', () => {
  it('prints the stats unchanged', () => {
    const text = render(literalStats(), { color: false });
    expect(JSON.parse(text)).to.deep.equal(literalStats());
    expect(text).to.match(/\}\n$/);
  });

  it('masks secrets in texts', () => {
    const stats = literalStats();
    stats.errors.details[0].operation = 'GET /items?api_key=CANARY&x=1';
    expect(JSON.parse(render(stats, { color: false })).errors.details[0].operation).to.equal(
      'GET /items?api_key=***&x=1',
    );
  });
});
