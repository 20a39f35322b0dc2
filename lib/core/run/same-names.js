import { CHECKS } from '../flow/checks/index.js';
import { PROPERTIES } from '../flow/properties.js';
import { PROTOCOLS } from '../flow/protocols/index.js';
import { DIALECTS } from '../flow/source/dialects/index.js';
import { FORMATS } from '../flow/source/formats/index.js';
import { DOUBLED, makeError } from '../ground/errors.js';
import { joinedAddons } from '../ground/join-addon.js';
import { ALL_SCHEMES, schemesOf } from '../http/schemes.js';
import { TRANSPORTS } from '../transport/index.js';
import { RUN_OPTIONS } from './options/index.js';

/** @import { Protocol } from '../flow/protocols/types.js' */
/** @import { Facts } from '../ground/addons.js' */

/** @typedef {{ what: string, all: () => string[], of: (facts: Facts) => string[] }} TakenNames of one kind */

export const ofRow = (/** @type {{ name: string }} */ { name }) => name;
/** The rows that a function of the facts loads. @type {(offers?: { load: () => any }[]) => any[]} */
const loaded = (offers = []) => offers.flatMap(({ load }) => load());
/** @type {(facts: Facts) => { name: string, flag?: string }[]} */
export const optionsOf = ({ options }) => loaded(options);

/** `all`: those of the core and of all add-ons, one that two of them have twice. @type {TakenNames[]} */
const NAMES = [
  { what: 'option', all: () => RUN_OPTIONS.map(ofRow), of: (facts) => optionsOf(facts).map(ofRow) },
  { what: 'protocol', all: () => PROTOCOLS.map(ofRow), of: ({ protocols }) => loaded(protocols).map(ofRow) },
  { what: 'scheme', all: () => ALL_SCHEMES, of: ({ protocols = [] }) => protocols.flatMap(schemesOf) },
  { what: 'check', all: () => CHECKS.map(ofRow), of: ({ checks }) => loaded(checks).map(ofRow) },
  { what: 'flow format', all: () => FORMATS.map(ofRow), of: ({ flowFormats = [] }) => flowFormats.map(ofRow) },
  { what: 'dialect', all: () => DIALECTS.map(ofRow), of: ({ dialects = [] }) => dialects.map(ofRow) },
  { what: 'HTTP client', all: () => TRANSPORTS.map(ofRow), of: ({ transports = [] }) => transports.map(ofRow) },
  {
    what: 'error',
    all: () => [...DOUBLED, ...DOUBLED],
    of: ({ errors = [] }) => errors.flatMap(({ codes = {}, kinds = {} }) => Object.keys({ ...codes, ...kinds })),
  },
  {
    what: 'property',
    all: () => joinedAddons().flatMap(({ facts }) => propertiesIn(facts).flatMap(doubled)),
    of: (facts) => propertiesIn(facts).map(({ name }) => name),
  },
];

/** @typedef {{ name: string, check: unknown, protocol?: Protocol }} OwnProperty protocol: whose operations have it */

/** @type {(facts: Facts) => OwnProperty[]} */
function propertiesIn({ protocols, bodies, readers }) {
  return [
    ...loaded(protocols).flatMap((protocol) =>
      Object.entries(protocol.properties).map(([name, { check }]) => ({ name, check, protocol })),
    ),
    ...loaded(bodies).map(({ name, check }) => ({ name, check })),
    ...loaded(readers).map(({ name, property }) => ({ name, check: property.check })),
  ];
}

/**
 * Returns a name twice if operations would have two meanings for it. Those of different protocols may share a name,
 * unless it chooses the protocol of an operation.
 * @type {(property: OwnProperty) => string[]}
 */
function doubled({ name, check, protocol }) {
  const { check: used } = PROPERTIES[name];
  const isOfProtocol = PROTOCOLS.some(({ key, properties }) => key !== null && properties[name]?.check === used);
  const choosing = PROTOCOLS.filter(({ key }) => key === name);
  const isSame =
    protocol === undefined ? used === check : isOfProtocol && choosing.every(({ key }) => key === protocol.key);
  return isSame && choosing.length < 2 ? [] : [name, name];
}

/**
 * Refuses add-ons of other packages that have a name of the core, of our add-ons, or of one another. `ofCommand`: names
 * of the command alone.
 * @throws {Error} E_ADDON
 * @type {(ofCommand?: TakenNames[]) => void}
 */
export function refuseSameNames(ofCommand = []) {
  for (const [at, { name, facts }] of joinedAddons().entries())
    for (const { what, all, of } of [...NAMES, ...ofCommand]) {
      const names = all();
      const same = of(facts).find((one) => names.indexOf(one) !== names.lastIndexOf(one));
      if (same === undefined) continue;
      const own = of(facts).filter((one) => one === same).length;
      if (names.filter((one) => one === same).length === own) throw refuseOwnTwice(name, what, same, facts);
      const other = joinedAddons().find((one, i) => i !== at && of(one.facts).includes(same));
      const reason = `has the ${what} ${same}, which ${other?.name ?? 'bench-rest'} has, too`;
      throw makeError('E_ADDON', { name, reason, cure: other ? 'use one of them' : 'rename it in the add-on' });
    }
}

/** Refuses one that an add-on has twice. @type {(name: string, what: string, same: string, facts: Facts) => Error} */
function refuseOwnTwice(name, what, same, { protocols = [] }) {
  const owners = protocols.filter((/** @type {any} */ entry) => what === 'scheme' && schemesOf(entry).includes(same));
  if (owners.length < 2)
    return makeError('E_ADDON', { name, reason: `has the ${what} ${same} twice`, cure: 'rename one of them' });
  const keys = loaded(owners).map(ofRow).join(' and ');
  const reason = `has the scheme ${same} in two protocols, ${keys}`;
  return makeError('E_ADDON', { name, reason, cure: 'write one protocol, with optional properties' });
}
