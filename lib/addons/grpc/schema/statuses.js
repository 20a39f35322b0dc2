/** The codes of google.rpc.Code, with what to do about each. @type {{ name: string, remedy: string }[]} */
export const STATUSES = [
  { name: 'OK', remedy: '' },
  { name: 'CANCELLED', remedy: "look at the server's log" },
  { name: 'UNKNOWN', remedy: "look at the server's log" },
  { name: 'INVALID_ARGUMENT', remedy: 'compare the message with what the server expects' },
  { name: 'DEADLINE_EXCEEDED', remedy: 'the server did not answer in time: raise timeout, or look for its limit' },
  { name: 'NOT_FOUND', remedy: "if that is right, write expect: { status: 'NOT_FOUND' }" },
  { name: 'ALREADY_EXISTS', remedy: 'use values of each iteration, such as #{INDEX}' },
  { name: 'PERMISSION_DENIED', remedy: 'check metadata: { authorization }' },
  { name: 'RESOURCE_EXHAUSTED', remedy: 'use fewer virtual users, or a lower rate' },
  { name: 'FAILED_PRECONDITION', remedy: 'compare the order of the operations with what the server expects' },
  { name: 'ABORTED', remedy: "look at the server's log" },
  { name: 'OUT_OF_RANGE', remedy: 'compare the message with what the server expects' },
  { name: 'UNIMPLEMENTED', remedy: 'does this server have the method?' },
  { name: 'INTERNAL', remedy: "look at the server's log" },
  { name: 'UNAVAILABLE', remedy: 'the server is down or overloaded: use fewer virtual users, or a lower rate' },
  { name: 'DATA_LOSS', remedy: "look at the server's log" },
  { name: 'UNAUTHENTICATED', remedy: 'check metadata: { authorization }' },
];

export const STATUS_NAMES = STATUSES.map(({ name }) => name);

/** Clients take a status that they do not know for this one. @type {(status: number) => string} */
export function nameOfStatus(status) {
  return STATUS_NAMES[status] ?? 'UNKNOWN';
}

/** The code, a key of the errors, of a call with a status. @type {(name: string) => string} */
export function errorOfStatus(name) {
  return `E_GRPC_${name}`;
}

/** @type {Record<string, import('../../../core/ground/errors.js').ErrorRow>} */
export const CODES_OF_STATUSES = Object.fromEntries(
  STATUSES.slice(1).map(({ name, remedy }) => [
    errorOfStatus(name),
    { message: `status ${name}{reason}`, cure: remedy, kind: 'grpc' },
  ]),
);
