import csv from './csv.js';
import { json, ndjson, rows } from './json.js';

/** @import { FeederFormat } from './types.js' */

/** The sources that rows can be read from. @type {FeederFormat[]} */
export const FEEDERS = [csv, json, ndjson, rows];
