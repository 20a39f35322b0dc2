import { expect } from 'chai';

import { recordingOptions } from '../../../lib/addons/import/dialects/index.js';
import { createProblems } from '../../../lib/core/ground/problems.js';
import { checkDialectOptions } from '../../../lib/core/run/flow-source.js';

describe('a recording as a flow', () => {
  it('without options neither cookies nor timing of the recording are used', () =>
    expect(recordingOptions({})).to.deep.equal({ cookies: false, timing: false, headers: [] }));

  it('credentials replace the recorded Authorization, and fields of the run the recorded ones', () =>
    expect(
      recordingOptions({
        harCookies: true,
        harTiming: false,
        baseUrl: 'http://b',
        headers: { 'X-A': '1' },
        user: 'ann',
      }),
    ).to.deep.equal({ cookies: true, timing: false, baseUrl: 'http://b', headers: ['X-A', 'authorization'] }));

  it('values of wrong types are ignored here: they are refused when the options are read', () =>
    expect(recordingOptions({ harTiming: 'yes', baseUrl: 5, headers: 'x' })).to.deep.equal({
      cookies: false,
      timing: false,
      headers: [],
    }));

  it('the options are refused for another flow', () => {
    const found = (options, isRecording) => {
      const problems = createProblems('E_RUN_OPTIONS');
      checkDialectOptions(options, isRecording, problems);
      return problems.list;
    };
    expect(found({ harTiming: true, harCookies: true }, false)).to.deep.equal(
      ['harCookies', 'harTiming'].map((name) => ({
        path: `runOptions.${name}`,
        reason: 'is an option of recordings: the flow is no .har file',
      })),
    );
    expect(found({ harTiming: true }, true)).to.deep.equal([]);
    expect(found({ harTiming: false }, false)).to.deep.equal([]);
  });
});
