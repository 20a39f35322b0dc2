import { shortened } from '../../../core/text/format-value.js';
import { decoderOf } from './json-mapping.js';
import { loadProtobuf, resolved } from './protos.js';

/** Characters of a text of a server in a message. */
const MOST_SHOWN = 500;

/** Cuts a text of a server, without what would change a terminal, or a line. @type {(text: unknown) => string} */
export function printable(text) {
  return shortened(String(text), MOST_SHOWN).replace(/\p{Cc}+/gu, ' ');
}

/** google.rpc.Status, and the details that services send (google/rpc/error_details.proto). */
const TYPES = `
syntax = "proto3"; package google.rpc;
message Status { int32 code = 1; string message = 2; repeated google.protobuf.Any details = 3; }
message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
message RetryInfo { google.protobuf.Duration retry_delay = 1; }
message DebugInfo { repeated string stack_entries = 1; string detail = 2; }
message QuotaFailure { message Violation { string subject = 1; string description = 2; } repeated Violation violations = 1; }
message PreconditionFailure { message Violation { string type = 1; string subject = 2; string description = 3; } repeated Violation violations = 1; }
message BadRequest { message FieldViolation { string field = 1; string description = 2; } repeated FieldViolation field_violations = 1; }
message RequestInfo { string request_id = 1; string serving_data = 2; }
message ResourceInfo { string resource_type = 1; string resource_name = 2; string owner = 3; string description = 4; }
message Help { message Link { string description = 1; string url = 2; } repeated Link links = 1; }
message LocalizedMessage { string locale = 1; string message = 2; }
`;

/** @type {((bytes: Buffer) => any) | null} */
let decode = null;

/** @type {() => (bytes: Buffer) => any} */
function decoder() {
  if (decode !== null) return decode;
  const protobuf = loadProtobuf();
  const root = new protobuf.Root();
  for (const name of ['any', 'duration']) root.addJSON(protobuf.common.get(`google/protobuf/${name}.proto`).nested);
  protobuf.parse(TYPES, root);
  return (decode = decoderOf(resolved(root).lookupType('google.rpc.Status')));
}

/** The details of a status as texts: `BadRequest {"fieldViolations":[…]}`. @type {(base64?: string) => string[]} */
export function detailsIn(base64) {
  if (base64 === undefined) return [];
  try {
    const { details } = decoder()(Buffer.from(base64, 'base64'));
    return (details ?? []).map(textOf);
  } catch {
    return ['with details that cannot be read'];
  }
}

/** @type {(detail: Record<string, any>) => string} */
function textOf({ '@type': url, ...value }) {
  const name = url.slice(url.lastIndexOf('.') + 1);
  return printable(`${name} ${JSON.stringify(value)}`);
}
