import { METHOD_OF } from '../flow/properties.js';
import { MEANINGS, SPELLINGS } from './normalize-arguments.js';

/** Our own names that mean the same as another one: those of bench-rest 1, of the request library, and short forms. */
const DOUBLES = {
  '--json': '--format json',
  '--format object': 'the output of bench-rest 1: --format text is its successor',
  '--latency': 'the percentiles of --full alone',
  '--ipv4': '--family 4',
  '--ipv6': '--family 6',
  '--no-color': '--color never',
  '-k': 'the default: connections are kept alive',
  uri: 'url',
  strictSSL: 'rejectUnauthorized',
  'auth.username': 'auth.user',
  'auth.password': 'auth.pass',
};

/** Names that mean the same as another one, those of other tools first, each with the one that the documents use. */
export function synonymRows() {
  const methods = Object.entries(METHOD_OF).filter(([name, method]) => name !== method.toLowerCase());
  return [
    ...Object.entries(SPELLINGS).map(([name, ours]) => ({ name: `--${name}`, about: `--${ours}` })),
    ...MEANINGS.map(({ letter, example, flag, prefix = '' }) => ({
      name: `${letter} ${example}`,
      about: `--${flag} ${prefix}${example}`,
    })),
    ...Object.entries(DOUBLES).map(([name, about]) => ({ name, about })),
    ...methods.map(([name, method]) => ({ name, about: method.toLowerCase() })),
  ];
}
