import { expect } from 'chai';

import { checkRecordingOptions, recordingOptions } from '../../../../lib/run/options/recording.js';

const layer = (options) => ({ name: 'x', options });

describe('run/options/recording', () => {
  it('without options neither cookies nor timing of the recording are used', () =>
    expect(recordingOptions([layer({})])).to.deep.equal({ cookies: false, timing: false, headers: [] }));

  it('a stronger layer wins; credentials replace the recorded Authorization', () =>
    expect(
      recordingOptions([
        layer({ harTiming: true, harCookies: true, baseUrl: 'http://a' }),
        layer({ harTiming: false, baseUrl: 'http://b', headers: { 'X-A': '1' }, user: 'ann' }),
      ]),
    ).to.deep.equal({ cookies: true, timing: false, baseUrl: 'http://b', headers: ['X-A', 'authorization'] }));

  it('values of wrong types are ignored here: they are refused when the options are read', () =>
    expect(recordingOptions([layer({ harTiming: 'yes', baseUrl: 5, headers: 'x' })])).to.deep.equal({
      cookies: false,
      timing: false,
      headers: [],
    }));

  it('the options are refused for another flow', () => {
    expect(() => checkRecordingOptions({ harTiming: true, harCookies: true }, false))
      .to.throw(/harCookies: is an option of recordings[^]*harTiming: is an option of recordings/)
      .with.property('code', 'E_RUN_OPTIONS');
    checkRecordingOptions({ harTiming: true }, true);
    checkRecordingOptions({ harTiming: false }, false);
  });
});
