import { withLine } from './hono-hooks.cjs';

/** @type {(url: string, context: object, next: (url: string, context: object) => Promise<any>) => Promise<any>} */
export async function load(url, context, next) {
  return withLine(url, await next(url, context));
}
