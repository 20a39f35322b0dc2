import inline from './inline.js';
import url from './url.js';
import module from './module.js';
import json from './json.js';
import yaml from './yaml.js';

/** The formats of flows; the first that accepts a source reads it. */
export const FORMATS = [inline, url, module, json, yaml];
