import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { joinAddons } from '../lib/core/ground/addons.js';

/** Prints the names that there are without the experimental add-ons, by area, as JSON. */
const ADDONS = new URL('../lib/addons/', import.meta.url);
const FACTS = readdirSync(ADDONS).map((name) => new URL(`${name}/addon.js`, ADDONS));
const modules = await Promise.all(
  FACTS.filter((file) => existsSync(fileURLToPath(file))).map(({ href }) => import(href)),
);
const stable = modules.filter(({ default: { isExperimental } }) => !isExperimental);
joinAddons(
  import.meta.url,
  stable.flatMap(({ default: facts, ofCommand = {} }) => [facts, ofCommand]),
);
const { AREAS } = await import('./surface.js');
// the modules of the package join all add-ons
const areas = Object.entries(AREAS).filter(([, { isOfPackage, isExperimental }]) => !isOfPackage && !isExperimental);
const names = areas.map(async ([area, row]) => [area, Object.keys(await row.names())]);
// the schema of a result, a file, lists those of all add-ons
const kinds = ['error kinds', Object.keys((await import('../lib/core/ground/errors.js')).KINDS)];
process.stdout.write(JSON.stringify(Object.fromEntries([...(await Promise.all(names)), kinds])));
