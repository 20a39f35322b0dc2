import { readFileSync } from 'node:fs';

/** @typedef {{ version: string, date: string, text: string }} Release one version of CHANGELOG.md */

const TITLE = /^## \[([^\]]+)\] - (.+)$/;

/**
 * The section of a version, undefined if there is none. A pre-release has no section of its own: its section is that of
 * the version to come.
 * @type {(version: string) => Release | undefined}
 */
export function releaseOf(version) {
  const [final] = version.split('-');
  return releases().find((one) => one.version === version) ?? releases().find((one) => one.version === final);
}

/** The versions of CHANGELOG.md, the newest first. @type {() => Release[]} */
export function releases() {
  const path = new URL('../CHANGELOG.md', import.meta.url);
  const [, ...parts] = readFileSync(path, 'utf8').split(/^(?=## )/m);
  return parts.map((part) => {
    const [title, ...lines] = part.split('\n');
    const [, version, date] = TITLE.exec(title) ?? [];
    if (version === undefined) throw new Error(`CHANGELOG.md: "${title}" is not "## [version] - date"`);
    // the addresses of the versions end the file
    const text = lines.filter((line) => !/^\[[^\]]+\]: /.test(line)).join('\n');
    return { version, date, text: text.trim() };
  });
}
