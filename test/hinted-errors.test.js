import { expect } from 'chai';

import { hintedErrors } from '../lib/core/report/errors.js';
import { render as github } from '../lib/addons/formats/github.js';
import { render as junit } from '../lib/addons/formats/junit.js';
import { render as markdown } from '../lib/addons/formats/markdown.js';
import { modelOf } from '../lib/addons/page/model.js';
import { render as text } from '../lib/core/report/text/index.js';
import { literalResult } from './support/literal-result.js';

const closed = { code: 'E_RESET_BEFORE_HEAD', message: 'closed', exchange: ['> GET http://h/'] };
const alert = { code: 'E_STATUS_LINE', message: 'got "\\x15\\x03"', exchange: ['> GET http://h/'] };
const HINT = 'is this https? Then write https://';

describe('report/hinted-errors', () => {
  for (const [what, group, answered, isHinted] of [
    ['a server that closes each connection', closed, 0, true],
    ['an alert of TLS', alert, 5, true],
    ['a connection that is closed between answers', closed, 5, false],
    ['a request of https', { ...closed, exchange: ['> GET https://h/'] }, 0, false],
    ['a connection of HTTP/2 that is closed', { ...closed, code: 'E_HTTP2_CLOSED' }, 0, false],
    ['an error without a request', { ...closed, exchange: undefined }, 0, false],
    ['a handshake of wss', { ...closed, exchange: ['> GET wss://h/'] }, 0, false],
  ])
    it(`http:// to a server of TLS: ${what} has ${isHinted ? 'a' : 'no'} hint`, () => {
      const [{ message }] = hintedErrors({ errors: { details: [group] }, requests: { answered } });
      expect(message).to.equal(isHinted ? `${group.message}; ${HINT}` : group.message);
    });

  for (const group of [closed, alert])
    it(`ws:// to a server of TLS has a hint: ${group.code}`, () => {
      const ofSocket = { ...group, exchange: ['> GET ws://h/'] };
      const [{ message }] = hintedErrors({ errors: { details: [ofSocket] }, requests: { answered: 0 } });
      expect(message).to.equal(`${group.message}; is this wss? Then write wss://`);
    });

  it('all reports print it', () => {
    const result = literalResult();
    Object.assign(result.errors.details[0], closed);
    result.thresholds = [];
    result.requests.answered = 0;
    for (const render of [text, markdown, junit, github]) expect(render(result)).to.include(HINT);
    expect(modelOf(result, () => []).errors.groups[0].message).to.include(HINT);
  });
});
