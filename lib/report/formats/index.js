import { safeCopy } from '../../text/safe.js';
import html from '../html/index.js';
import text from '../text/index.js';
import csv from './csv.js';
import hgrm from './hgrm.js';
import json from './json.js';
import junit from './junit.js';
import markdown from './markdown.js';
import ndjson from './ndjson.js';
import object from './object.js';

/** @import { Reporter } from '../types.js' */

/** The formats of a result. A file gets the first one with its extension. @type {Reporter[]} */
export const REPORTERS = [text, object, json, ndjson, csv, junit, markdown, hgrm, html].map(atEdge);

/**
 * Escapes all texts of a result before a reporter gets them: a saved result is untrusted, and no reporter can forget to
 * escape one. JSON keeps its texts; `maskedJson` escapes them.
 *
 * @param {Reporter} reporter
 * @returns {Reporter}
 */
function atEdge(reporter) {
  if (reporter.isJson) return reporter;
  return {
    ...reporter,
    // the encoded counts are long, and no text format prints them
    render: ({ histograms: _counts, ...result }, options) => reporter.render(safeCopy(result), options),
  };
}
