/** Parts of names that mark a value as a secret. */
const SECRET_PART =
  /^(?:key|auth|oauth|authn|authz|authentication|sig|sid|pwd|pass|passcode|jwt|otp|bearer|hmac|sas|psk|creds?)s?$/;
/** The same for words that are written without a border: `accesstoken`, `PHPSESSID`, `DBPASS`, `basicauth`. */
const SECRET_WORD = new RegExp(
  [
    'token|secret|session|sess?id$|passw|passphrase|credential|signature|cookie|authori[sz]ation|connectionstring|^saml',
    '^(?:db|pg|my|sql|user|root|admin|login|smtp|ftp|ssh|key|store)(?:pass|pwd)$',
    '^(?:basic|proxy|digest|http)auth$|^auth(?:code|header)$|^(?:csrf|xsrf|dsn)$',
    '(?:api|auth|access|private|signing|shared|account|license|encryption|master|ssh|subscription|webhook)keys?(?:id|lite)?$',
  ].join('|'),
);
/** Names with such a part whose values are no secrets: lower-case, without borders. An `x-` before them is ignored. */
const NO_SECRETS = new Set([
  ...['idempotencykey', 'secwebsocketkey', 'publickey', 'hostkey', 'cachekey', 'surrogatekey', 'sitekey'],
  ...['primarykey', 'foreignkey', 'partitionkey', 'sortkey', 'rowkey', 'routingkey', 'messagekey', 'objectkey'],
  // counters of language models
  ...['maxtokens', 'maxnewtokens', 'mincompletiontokens', 'maxcompletiontokens', 'maxoutputtokens', 'tokencount'],
  ...['prompttokens', 'completiontokens', 'inputtokens', 'outputtokens', 'totaltokens', 'cachedtokens'],
  ...['reasoningtokens', 'tokentype'],
]);
/** Decided names: reading one takes a microsecond, and redirects ask for each field. @type {Map<string, boolean>} */
const decided = new Map();
const MOST_DECIDED = 1000;
const LONGEST = 200;

/**
 * Reports whether a name marks its value as a secret: the name of a header field, a query parameter, a form field, a member of
 * JSON, a variable of the flow or of the environment, a column. All masks and refusals ask this function. It reads the parts of
 * the name, as in `X-Goog-Api-Key`, `accessToken` and `DB_PASSWORD`; in doubt a value is a secret.
 *
 * @param {string} name
 * @returns {boolean}
 */
export function isSecretName(name) {
  const known = decided.get(name);
  if (known !== undefined) return known;
  if (name.length > LONGEST) return decide(name.slice(0, LONGEST));
  if (decided.size >= MOST_DECIDED) decided.clear();
  const isSecret = decide(name);
  decided.set(name, isSecret);
  return isSecret;
}

/** @type {(name: string) => boolean} */
function decide(name) {
  const parts = partsOf(name);
  if (NO_SECRETS.has((parts[0] === 'x' ? parts.slice(1) : parts).join(''))) return false;
  return parts.some((part) => SECRET_PART.test(part) || SECRET_WORD.test(part));
}

/** `X-APIKeyOf_user2` has the parts x, api, key, of, user. @type {(name: string) => string[]} */
function partsOf(name) {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '');
}
