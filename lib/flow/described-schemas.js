/**
 * The schemas of a table of entries, each with its text, for the JSON Schema of flows.
 *
 * @param {{ name: string, about: string, schema: Record<string, unknown> }[]} entries
 * @returns {Record<string, Record<string, unknown>>} by name
 */
export function describedSchemas(entries) {
  return Object.fromEntries(
    entries.map(({ name, about, schema }) => [
      name,
      { ...schema, description: `${about[0].toUpperCase()}${about.slice(1)}` },
    ]),
  );
}
