import { SOURCES } from './sources.js';

/** Documents read in another form: a part of each, its name, and what to do. @type {[RegExp, string, string][]} */
const OTHERS = [
  [/^\s*$/, 'is an empty file', 'pass a document that has requests'],
  [
    /"requests"\s*:\s*\[[^]*"(?:collectionId|folders_order|rawModeData|dataMode)"/,
    'is a Postman collection of format 1',
    'import it in Postman, and export it as collection 2.1',
  ],
  [
    /"__export_format"\s*:\s*[1-3]\b/,
    'is an export of Insomnia of a former format',
    'import it in Insomnia, and export it as format 4 or 5',
  ],
  [
    /"_postman_variable_scope"\s*:/,
    'is an environment of Postman',
    'import the collection, and pass this file with --environment',
  ],
  [
    /["']?webhooks["']?\s*:/,
    'is an OpenAPI document with webhooks only: requests that the service sends',
    'pass one that has paths',
  ],
  [/["']?asyncapi["']?\s*:\s*["']?\d/, 'is an AsyncAPI document: messages, no requests', 'write the flow by hand'],
  [/["']?arazzo["']?\s*:\s*["']?\d/, 'is an Arazzo document', 'import the OpenAPI documents that it names'],
  [
    /^\s*(?:meta|info)\s*\{|"(?:bruno|exportedUsing)"\s*:/,
    'is a request or a collection of Bruno',
    'export it as a Postman collection, or as OpenAPI',
  ],
  [
    /"client"\s*:\s*"Thunder Client"|"clientName"\s*:\s*"Thunder Client"/,
    'is a collection of Thunder Client',
    'export it as a Postman collection',
  ],
  [
    /"preRequestScript"\s*:[^]*"folders"|"folders"\s*:[^]*"preRequestScript"\s*:/,
    'is a collection of Hoppscotch',
    'export it as OpenAPI, or its requests as curl commands',
  ],
  [/<jmeterTestPlan\b/, 'is a test plan of JMeter', 'record its requests with bench-rest record'],
  [/\bfrom\s+locust\b|\bimport\s+locust\b/, 'is a script of Locust', 'record its requests with bench-rest record'],
  [
    /\bio\.gatling\.|\bextends\s+Simulation\b/,
    'is a simulation of Gatling',
    'record its requests with bench-rest record',
  ],
  [/^\s*#%RAML/, 'is a RAML document', 'convert it to OpenAPI'],
  [/^\s*(?:FORMAT:\s*1A|# Group )/m, 'is an API Blueprint', 'convert it to OpenAPI'],
  [
    /<(?:\w+:)?(?:definitions|description)\b[^>]*wsdl/i,
    'is a WSDL document',
    'convert it to OpenAPI, or export the requests as curl commands',
  ],
  [/(?:^|\s)fetch\(\s*["'`]https?:/, 'is JavaScript with fetch', 'copy the requests as cURL (bash)'],
  [
    /^\s*(?:\$\s*)?(?:https?|wget|xh)\s+(?:-|[A-Z]+\s|https?:|:)/m,
    'is a command of HTTPie or wget',
    'write it as a curl command',
  ],
  [/^\s*<(?:!doctype\s+)?html/i, 'is a page of HTML', 'save the document itself'],
];

/**
 * Names a text that no source recognizes, and what to do.
 * @type {(text: string) => { reason: string, cure: string }}
 */
export function describeOther(text) {
  const [, reason, cure] = OTHERS.find(([pattern]) => pattern.test(text.slice(0, LONGEST))) ?? [];
  const names = SOURCES.map((source) => source.name).join(', ');
  return { reason: reason ?? 'is of no known source', cure: cure ?? `name its kind: --from ${names}` };
}

/** Characters of a text that are searched for what it is. */
const LONGEST = 200_000;
