import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { releaseOf } from './changelog.js';
import { withAddresses } from './markdown.js';

/**
 * Prints what the release of the version in package.json says: its section of CHANGELOG.md, as far as GitHub takes it. With
 * --outputs it prints the tags of the release instead, as outputs of a step.
 */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** GitHub refuses the text of a release beyond 125,000 characters. */
const LONGEST = 120_000;

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--outputs')) for (const [name, tag] of tagsOf(version)) console.log(`${name}=${tag}`);
  else console.log(releaseNotes(version));
}

/** @type {(version: string) => string} */
export function distTagOf(version) {
  return version.includes('-') ? 'next' : 'latest';
}

/** @type {(version: string) => string} */
export function releaseNotes(version) {
  const release = releaseOf(version);
  if (!release) throw new Error(`CHANGELOG.md has no section ${version}`);
  const text = withAddresses(release.text, { path: 'CHANGELOG.md', version });
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, text.lastIndexOf('\n', LONGEST))}\n\nCHANGELOG.md has the rest.`;
}

/**
 * The tag of npm and image, and the tag of the action. A first pre-release of a major version moves the tag of that version,
 * which no final version has yet.
 * @type {(version: string) => [string, string][]}
 */
export function tagsOf(version) {
  const [, major, isFirst, preRelease] = /^(\d+)(\.0\.0)?[^-]*(-.*)?$/.exec(version);
  return [
    ['dist-tag', distTagOf(version)],
    ['action-tag', preRelease && !isFirst ? 'next' : `v${major}`],
  ];
}
