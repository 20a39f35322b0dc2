import { METHOD_OF } from '../flow/properties.js';
import { SPELLINGS } from './normalize-arguments.js';

/** Flags and properties that mean the same as another one: those of bench-rest 1, of the request library, and short forms. */
const DOUBLES = {
  '--json': '--format json',
  '--no-color': '--color never',
  '-k': 'the default: connections are kept alive',
  uri: 'url',
  strictSSL: 'rejectUnauthorized',
  'auth.username': 'auth.user',
  'auth.password': 'auth.pass',
};

/** The names with several spellings, each with the one that the documents use. */
export function synonymRows() {
  const methods = Object.entries(METHOD_OF).filter(([name, method]) => name !== method.toLowerCase());
  return [
    ...Object.entries(SPELLINGS).map(([name, ours]) => ({ name: `--${name}`, about: `--${ours}` })),
    ...Object.entries(DOUBLES).map(([name, about]) => ({ name, about })),
    ...methods.map(([name, method]) => ({ name, about: method.toLowerCase() })),
  ];
}
