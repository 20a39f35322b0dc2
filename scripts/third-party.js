import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LICENCE = /^(licen[cs]e(-mit)?|copying)(\.(md|txt))?$/i;
const COPYRIGHT = /^(copyright(?! holders?\b| notice\b)|\(c\)|©)/i;

/** Licences that ask for nothing we do not do: a package with another one is looked at by a person first. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT'];

/**
 * @typedef {object} Package a package that a user of bench-rest gets with it
 * @property {string} name
 * @property {string} licence its SPDX name
 * @property {string[]} copyright
 * @property {string} body of its licence, without the copyright
 */

/** THIRD_PARTY.md: the licences of the packages that are installed with bench-rest. @returns {string} */
export function thirdParty() {
  const groups = groupOf(packages());
  const parts = [...groups.values()].map(
    (group) => `## ${[...new Set(group.map(({ licence }) => licence))].join(', ')}

${group.map(({ name, copyright }) => `- \`${name}\`${copyright.length > 0 ? `: ${copyright.join(', ')}` : ''}`).join('\n')}

\`\`\`text
${group[0].body || 'These packages have no text of their licence.'}
\`\`\`
`,
  );
  return `# Licences of others

bench-rest itself has the [MIT licence](LICENSE). These packages are installed with it. Pages of reports contain \`uplot\`; the files in \`cjs\` and \`lib\` contain \`commander\`, \`fast-string-width\`, \`measured-core\` and \`p-limit\`
with what they import, and those in \`cjs\` \`@sveltejs/acorn-typescript\`.

${parts.join('\n')}`;
}

/** The packages with one text of the licence; Node 20 has no Map.groupBy. @type {(all: Package[]) => Map<string, Package[]>} */
function groupOf(all) {
  const groups = new Map();
  for (const one of all) groups.set(plain(one.body), [...(groups.get(plain(one.body)) ?? []), one]);
  return groups;
}

/** @type {(text: string) => string} */
function plain(text) {
  return text.replace(/\W+/g, ' ').trim().toLowerCase();
}

/** @returns {Package[]} */
function packages() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const paths = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer,
  );
  const all = paths.map(([path, { license: licence }]) => {
    const name = path.replace(/.*node_modules\//, '');
    if (!ALLOWED.includes(licence)) throw new Error(`${name} has the licence ${licence}; see scripts/third-party.js`);
    return { name, licence, ...textOf(join(ROOT, path)) };
  });
  const known = new Map(all.map((one) => [`${one.name} ${plain(one.body)}`, one]));
  return [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text of a licence in the folder of a package. @type {(folder: string) => Pick<Package, 'copyright' | 'body'>} */
function textOf(folder) {
  const file = readdirSync(folder).find((name) => LICENCE.test(name));
  if (file === undefined) return { copyright: [], body: '' };
  const lines = readFileSync(join(folder, file), 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  const copyright = lines.map((line) => line.trim()).filter((line) => COPYRIGHT.test(line));
  // a title has no full stop: "The MIT License (MIT)"
  const body = lines.filter(
    (line) => !COPYRIGHT.test(line.trim()) && !/^\W*(the )?(mit|isc|bsd)[^.]*$/i.test(line.trim()),
  );
  return {
    copyright,
    body: body
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  };
}
