import { expect } from 'chai';

import { READER } from '../../../lib/addons/streams/flow/stream.js';

describe('a body of events that no stream reads', () => {
  for (const text of ['data: {}\n\n', ': ping\n\nevent: a\ndata: 1\n\n'])
    it(`${JSON.stringify(text)} is recognized`, () =>
      expect(READER.recognize(text)).to.equal("are server-sent events: write stream: 'sse' in the operation"));

  for (const text of ['database: 1', '<html>', '{}', ''])
    it(`${JSON.stringify(text)} is another body`, () => expect(READER.recognize(text)).to.equal(undefined));
});
