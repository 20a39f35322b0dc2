import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ROOT } from './command.js';

/**
 * Runs `story` with a folder that is removed after it.
 *
 * @template T
 * @param {(folder: string) => T | Promise<T>} story
 * @param {Record<string, string>} [files] their texts by name, which may have folders
 * @returns {Promise<T>}
 */
export async function inFolder(story, files = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  try {
    return await story(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes this package a dependency of the project in a folder, as `npm link` does. @type {(folder: string) => void} */
export function linkPackage(folder) {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'bench-rest'), 'dir');
}
