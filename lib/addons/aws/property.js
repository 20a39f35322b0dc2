import { createRequire } from 'node:module';

import { refuseUnknown } from '../../core/flow/auth.js';
import { isObject } from '../../core/flow/record.js';

/** @import { Property, SignatureEntry } from '../../core/flow/types.js' */

const requireHere = createRequire(import.meta.url);

/** Few flows are signed for AWS. @type {() => typeof import('./signature.js')} */
const loadSignature = () => requireHere('./signature.js');

const REQUIRED = ['accessKeyId', 'secretAccessKey', 'region', 'service'];
/** The members of `aws`. */
export const MEMBERS = [...REQUIRED, 'sessionToken'];
/** @type {Record<string, string>} */
const ABOUT = {
  accessKeyId: 'Name of the key',
  secretAccessKey: 'The key, as #{env.NAME}',
  region: 'Region of the service, such as us-east-1',
  service: 'Name of the service in signatures, such as execute-api or s3',
  sessionToken: 'Token of temporary credentials',
};

/** @type {Property} */
const PROPERTY = {
  type: '{ accessKeyId: string, secretAccessKey: string, region: string, service: string, sessionToken?: string }',
  check: (v) => isObject(v) && REQUIRED.every((key) => typeof v[key] === 'string' && v[key] !== ''),
  expected: "an object such as { accessKeyId: '#{env.AWS_ACCESS_KEY_ID}', secretAccessKey, region, service }",
  refuse: (aws) => refuseUnknown(aws, MEMBERS),
  schema: {
    type: 'object',
    properties: Object.fromEntries(MEMBERS.map((name) => [name, { type: 'string', description: ABOUT[name] }])),
    required: REQUIRED,
    additionalProperties: false,
  },
  about:
    'sign the request for AWS (Signature Version 4): { accessKeyId, secretAccessKey, region, service, sessionToken }, as #{env.NAME}',
};

/** @type {SignatureEntry} */
export const AWS = {
  name: 'aws',
  property: PROPERTY,
  compile: (aws, place) => loadSignature().compileSignature(aws, place),
};
