/** The major version of the package, whose schemas editors load. */
const VERSION = 2;

/**
 * The address of a JSON Schema of the package. It is the `$id` of the schema, and resolves to the published file.
 *
 * @param {'flow.schema.json' | 'result.schema.json'} name of a file of the package
 * @returns {string}
 */
export function schemaUrl(name) {
  return `https://unpkg.com/bench-rest@${VERSION}/${name}`;
}
