import { nearestOrAll } from '../../../core/ground/problems.js';
import { STATUS_NAMES, nameOfStatus } from '../schema/statuses.js';
import { statusOf } from './trailers.js';

/** @import { CheckEntry } from '../../../core/flow/checks/types.js' */

/** The status of a call; operations write it as `status`, which `steps.js` passes on. @type {CheckEntry} */
const GRPC_STATUS = {
  name: 'grpcStatus',
  about: "the status of a gRPC call, such as 'NOT_FOUND', or a list of them; status of such an operation is the same",
  reads: 'status',
  needs: { property: 'grpc', reason: 'is for calls of gRPC: write grpc, or status for that of HTTP' },
  type: 'string | string[]',
  schema: { type: ['string', 'array'], items: { enum: STATUS_NAMES } },
  check: (value) => [value].flat().every((one) => typeof one === 'string') && [value].flat().length > 0,
  expected: 'a status such as NOT_FOUND, or a list of them',
  refuse: (value) =>
    [value].flat().flatMap((one, i) => {
      const at = Array.isArray(value) ? `[${i}]` : '';
      return STATUS_NAMES.includes(one)
        ? []
        : [{ at, reason: `${one} is no status of gRPC${nearestOrAll(one, STATUS_NAMES)}` }];
    }),
  compile(value) {
    const wanted = [value].flat();
    return [
      {
        name: `status ${wanted.join(', ')}`,
        check(received) {
          const status = statusOf(received);
          const name = status === null ? null : nameOfStatus(status);
          // Without one, enough of a stream was read.
          return name === null || wanted.includes(name)
            ? null
            : { expected: `status ${wanted.join(', ')}`, received: name };
        },
      },
    ];
  },
};

export const CHECKS = [GRPC_STATUS];
