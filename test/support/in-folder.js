import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs `story` with a folder that is removed after it.
 *
 * @template T
 * @param {(folder: string) => T | Promise<T>} story
 * @param {Record<string, string>} [files] their texts by name
 * @returns {Promise<T>}
 */
export async function inFolder(story, files = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  try {
    return await story(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
