/** As in package.json, which a bundled program does not have; a test compares both. */
export const PACKAGE_VERSION = '2.0.0-rc.0';

/** The major version: editors load its schemas, and the tag `v2` of the repository has its documents. */
const [VERSION] = PACKAGE_VERSION.split('.');

/** Returns the `$id` of a schema, which resolves to the published file. @type {(name: string) => string} */
export function schemaUrl(name) {
  return `https://unpkg.com/bench-rest@${VERSION}/${name}`;
}

export const REPOSITORY = 'https://github.com/jeffbski/bench-rest';

/** Returns the address of a document, such as `guide/hooks.md#sign-requests`. @type {(path: string) => string} */
export function docUrl(path) {
  return `${REPOSITORY}/blob/v${VERSION}/docs/${path}`;
}
