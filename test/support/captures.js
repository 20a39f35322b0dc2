import { expect } from 'chai';

import { compileCaptures } from '../../lib/core/flow/captures/index.js';
import { ResponseReader } from '../../lib/core/iteration/response-reader.js';

/** What is captured from a response. */
export const captured = (capture, body = '', response = {}) => {
  const context = { where: 'flow.main[0]', complain: expect.fail };
  const { captures, reads } = compileCaptures({ capture: { x: capture } }, context);
  const [{ read, explain, fallback, where }] = captures;
  const of = { statusCode: 200, headers: {}, setCookies: null, body: Buffer.from(body), ...response };
  const received = new ResponseReader().hold(of);
  return { value: read(received), reads: reads[0], reason: explain(received), fallback, where };
};
