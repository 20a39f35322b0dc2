import { RUN_OPTIONS } from '../lib/run/options/index.js';
import { withDefault, wrapped } from './text.js';

/** Typedefs of run options: as a program gives them, and as a run works with them. @returns {string} */
export function runOptionTypes() {
  const given = RUN_OPTIONS.map(({ name, type, about, default: value }) =>
    property(type, `[${name}]`, withDefault(about, value)),
  );
  const read = RUN_OPTIONS.map((row) => {
    const isThere = row.default !== undefined || row.name === 'limit';
    return property(row.parsed ?? row.type, isThere ? row.name : `[${row.name}]`, row.about);
  });
  const derived = [
    property('Record<string, string>', 'variables', 'derived from envFiles'),
    property('any', '[minVersion]', 'tlsMin, for connections'),
    property('any', '[maxVersion]', 'tlsMax, for connections'),
    property('number', '[iterationsOfLane]', 'derived from maxRequestsPerUser: iterations of one lane'),
    property(
      "import('../../http/proxy.js').ProxySettings",
      'proxies',
      'derived from proxy, noProxy and the environment',
    ),
  ];
  return `/**
 * Made from the rows in this folder by \`npm run generate\`: change a row, not this file.
 *
 * @import { FieldValue, Stage, StartOptions, Target, ThinkTime, Thresholds, TlsMaterial } from '../../ground/public-types.js'
 *
 * @typedef {object} GivenRunOptions times in ms or as texts such as \`'30s'\`; counts may be texts such as \`'10k'\`
${given.join('\n')}
 *
 * @typedef {object} RunOptions read and checked; times in ms
${[...read, ...derived].join('\n')}
 */
export {};
`;
}

/** @type {(type: string, name: string, about: string) => string} */
function property(type, name, about) {
  return wrapped(`@property {${type}} ${name} ${about}`, { first: ' * ', rest: ' *   ' });
}
