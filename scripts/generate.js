import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import '../lib/addons-of-command.js';
import { figureNames, flowTypes, runOptionTypes } from './contracts.js';
import { documentSchemas } from './document-schemas.js';
import { documents } from './document-tables.js';
import { doorTypes, rowsModule } from './door.js';
import { flowSchema } from './flow-schema.js';
import { manPage } from './man-page.js';
import { RECORD, stability } from './stability.js';
import { surface } from './surface.js';
import { thirdParty } from './third-party.js';

/** Writes what is generated from the tables in lib/; with --check it fails if a committed file differs. */
const isCheck = process.argv.includes('--check');

/** Files that are generated as a whole. */
const files = [
  { path: 'lib/core/contracts/flow-properties.d.ts', text: flowTypes() },
  { path: 'lib/core/contracts/run-options.d.ts', text: runOptionTypes() },
  { path: 'lib/core/contracts/figure-names.d.ts', text: figureNames() },
  { path: 'lib/core/ground/kinds-of-rows.js', text: rowsModule() },
  { path: 'docs/internals/door.json', text: doorTypes() },
  { path: 'flow.schema.json', text: flowSchema() },
  { path: 'THIRD_PARTY.md', text: thirdParty() },
];

for (const file of files) write(await formatted(file));
// They are made of types, some of which are written above, and the list of stable names reads them.
for (const file of documentSchemas()) write(await formatted(file));

const { text: record, broken } = await stability(await surface());
for (const problem of broken) console.error(problem);
if (broken.length > 0) process.exitCode = 1;
for (const file of [
  { path: 'man/bench-rest.1', text: manPage() },
  { path: RECORD, text: record },
])
  write(file);
for (const file of await documents()) write(file);

/** @type {(made: { path: string, text: string }) => void} */
function write({ path, text }) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (isCheck) process.exitCode = 1;
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.error(isCheck ? `${path} is out of date; run npm run generate` : `wrote ${path}`);
}

/** @type {(file: { path: string, text: string }) => Promise<{ path: string, text: string }>} */
async function formatted({ path, text }) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  return { path, text: await format(text, { ...(await resolveConfig(file)), filepath: file }) };
}
