import { reportResult } from '../report-result.js';
import { readResult } from '../read-result.js';

/**
 * @import { Io } from '../main.js'
 * @import { ReportRequest } from '../options.js'
 */

/**
 * Shows a saved result, or writes it in other formats.
 *
 * @param {ReportRequest} request
 * @param {Io} io
 */
export async function report({ paths: [path], ...wish }, io) {
  return reportResult(readResult(path, io.cwd()), wish, io);
}
