import { expect } from 'chai';

import { comparedProfiles } from '../../../../lib/addons/server/profile/compare.js';
import { readProfiles } from '../../../../lib/addons/server/profile/read.js';
import { REPORTERS } from '../../../../lib/core/report/formats/index.js';
import { render as renderPage } from '../../../../lib/addons/page/index.js';
import { profileText } from '../../../../lib/addons/server/report/profile.js';
import { literalResult } from '../../../support/literal-result.js';
import { bytesOf, cpuProfile } from '../../../support/profiles.js';

const profileOf = (stacks) =>
  readProfiles([{ name: 'app.js', bytes: bytesOf(cpuProfile(stacks)) }], { folder: '/srv', durationMs: 1000 });

const FAST = profileOf({ 'list@routes/list.js:31;stringify': 60, 'list@routes/list.js:31': 40 });
const SLOW = profileOf({ 'list@routes/list.js:31;hash@lib/hash.js:2': 900, 'list@routes/list.js:31': 100 });
const text = await REPORTERS.find(({ name }) => name === 'text').load();
const linesOf = (result, from, count) => {
  const lines = text.render(result, { width: 80 }).split('\n');
  const at = lines.findIndex((line) => line.includes(from));
  return lines.slice(at, at + count);
};

describe('report of a profile', () => {
  it('the text has the hottest functions, and where the service calls them', () => {
    const lines = linesOf({ ...literalResult(), profiles: [{ ...FAST, overhead: 0.021 }] }, 'Active time', 4);
    expect(lines).to.deep.equal([
      '  Active time  100 ms in 0.10 s, profiler 2.1 %',
      '    60 %  JSON.stringify in list  routes/list.js:31',
      '    40 %  list                    routes/list.js:31',
      '',
    ]);
  });

  for (const [workers, others, expected] of [
    [0, 1, ''],
    [0, 3, ', 3 processes'],
    [2, 1, ', 1 process, 2 worker threads'],
    [2, 0, ', 2 worker threads'],
  ])
    it(`${others} processes and ${workers} worker threads are counted apart`, () => {
      const processes = [
        ...Array.from({ length: others }, () => ({ name: 'app.js', total: 1 })),
        ...Array.from({ length: workers }, () => ({ name: 'app.js', total: 1, isWorker: true })),
      ];
      expect(profileText({ ...FAST, processes })).to.equal(`100 ms in 0.10 s${expected}`);
    });

  it('a total that rounds up to a second is in seconds', () => {
    const texts = [999.4, 999.6].map((total) => profileText({ ...FAST, total }));
    expect(texts).to.deep.equal(['999 ms in 0.10 s', '1.00 s in 0.10 s']);
  });

  it('control characters of names are escaped, and long ones fit the width', () => {
    const profile = profileOf({ [`\u001b[2J${'x'.repeat(300)}@${'deep/'.repeat(40)}app.js:7`]: 10 });
    const [, line] = linesOf({ ...literalResult(), profiles: [profile] }, 'Active time', 2);
    expect(line).to.have.length.at.most(80);
    expect(line).to.match(/^ {4}100 % {2}\\x1b\[2Jxx.*… {2}….*app\.js:7$/);
  });

  it('a baseline shows the functions that changed most, per request', () => {
    const base = { profiles: [FAST], requests: { rate: 100 } };
    const profiles = comparedProfiles([base], [{ profiles: [SLOW], requests: { rate: 10 } }]);
    const result = literalResult();
    const baseline = { from: 'a.json', method: 'none', figures: [], operations: [], regressions: [], warnings: [] };
    const lines = linesOf({ ...result, baseline: { ...baseline, profiles } }, 'per request', 4);
    expect(lines).to.deep.equal([
      '  active time of the service per request: 10.0 ms and 100 ms, +900.0 %',
      '    +90.0 ms  hash                    lib/hash.js:2',
      '    +6.00 ms  list                    routes/list.js:31',
      '    -6.00 ms  JSON.stringify in list  routes/list.js:31',
    ]);
  });

  it('a page without a profile has none of its script, style and sections', () => {
    const page = renderPage(literalResult());
    expect(page).not.to.match(/flame|id="profile"/);
    expect(renderPage({ ...literalResult(), profiles: [FAST] })).to.match(
      /class FlameGraph[^]*id="profile"|id="profile"/,
    );
  });

  it('text of a profile cannot end the script of the page', () => {
    const profile = profileOf({ '</script><script>alert(1)</script>@app.js:7': 10 });
    expect(renderPage({ ...literalResult(), profiles: [profile] })).not.to.include('<script>alert');
  });
});
