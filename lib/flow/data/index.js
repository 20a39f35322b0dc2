import csv from './csv.js';
import json from './json.js';
import ndjson from './ndjson.js';
import rows from './rows.js';

/** @import { FeederFormat } from './types.js' */

/**
 * The sources that rows can be read from.
 * @type {FeederFormat[]}
 */
export const FEEDERS = [csv, json, ndjson, rows];
