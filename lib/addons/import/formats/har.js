import { readJsonText } from '../../../core/flow/source/formats/document.js';
import { HAR } from '../dialects/index.js';

/** @import { FlowReader } from '../../../core/flow/source/types.js' */

/** Reads a recording. @type {FlowReader} */
export async function read(source) {
  return readJsonText({ ...source, dialect: HAR });
}
