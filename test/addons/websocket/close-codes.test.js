import { expect } from 'chai';

import { CLOSE_CODES, errorOfClose } from '../../../lib/addons/websocket/close-codes.js';
import { ERRORS } from '../../../lib/core/ground/errors.js';

describe('the close codes of WebSockets', () => {
  it('each has a row in the table of errors, with its remedy', () => {
    for (const [code, { meaning, remedy }] of Object.entries(CLOSE_CODES)) {
      const { message, cure, kind } = ERRORS[errorOfClose(Number(code))];
      expect(message).to.include(meaning);
      expect(cure).to.equal(remedy);
      expect(kind).to.equal('reset');
    }
  });

  it('other codes share an error', () => expect(errorOfClose(4000)).to.equal('E_WS_CLOSED'));
});
