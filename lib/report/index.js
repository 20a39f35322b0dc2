import csv from './csv.js';
import hgrm from './hgrm.js';
import html from './html/index.js';
import json from './json.js';
import junit from './junit.js';
import markdown from './markdown.js';
import ndjson from './ndjson.js';
import object from './object.js';
import text from './text/index.js';

/** @import { Reporter } from './types.js' */

/** How a result is shown; of those with the same extension the first is meant. @type {Reporter[]} */
export const REPORTERS = [text, object, json, ndjson, csv, junit, markdown, hgrm, html];
