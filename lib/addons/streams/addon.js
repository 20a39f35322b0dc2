import { createRequire } from 'node:module';

import { COUNTS, SERIES, TIMES } from './figures.js';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'streams',
  about: 'responses that are streams',
  isExperimental: true,
  sections: [
    {
      name: 'streams',
      suits: ({ operations }) => operations.some(({ stream }) => stream !== undefined),
      text: { before: 'latency', isFailure: true },
      markdown: { after: 'traces' },
      page: { before: 'stream-times', heading: 'Streams' },
      load: () => requireHere('./report/streams.js'),
    },
  ],
  operationFigures: [
    {
      key: 'stream',
      noun: { one: 'a stream', many: 'streams' },
      cure: "add stream: 'sse' to one, or another kind",
      times: TIMES,
      counts: COUNTS,
      series: SERIES,
      seriesRate: 'eventRate',
      example: 'gap.p99',
      limits: { name: 'goodput', example: 'goodput(firstEvent<500ms)' },
      load: () => requireHere('./measure/streams.js'),
    },
  ],
  readers: [{ load: () => requireNow('./flow/stream.js').READER }],
  checks: [{ load: () => requireNow('./flow/check.js').CHECKS }],
  errors: [
    {
      cures: { E_TIMEOUT_EVENTS: "write stream: 'sse' in the operation" },
      codes: {
        E_EVENT_TOO_LARGE: {
          message: 'connection closed by bench-rest: an event of the stream is larger than {limit} bytes',
          cure: 'raise maxBodySize',
          kind: 'protocol',
        },
        E_STREAM_ENCODED: {
          message: 'the stream has the content coding {coding}, which cannot be decoded',
          cure: 'send another Accept-Encoding',
          kind: 'protocol',
        },
        E_STREAM_EMPTY: {
          message: 'the stream ended without an event{reason}',
          cure: 'if that is right, write expect: { events: { gte: 0 } }',
          kind: 'expect',
        },
      },
    },
  ],
};

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  liveTexts: [
    {
      name: 'streams',
      suits: ({ series: { operations = [] } }) => operations.some(({ points }) => points.at(-1)?.stream !== undefined),
      load: () => requireHere('./report/live.js'),
    },
  ],
};
