import { appendFileSync } from 'node:fs';

/** A load hook of Node. */
export async function load(url, context, nextLoad) {
  appendFileSync(process.env.RECORD_MODULES, `${url}\n`);
  return nextLoad(url, context);
}
