// bench-rest -n 10000 -c 10 examples/clients/postgres.js --arg url=postgres://127.0.0.1:5432/postgres
// Calls of PostgreSQL, with prepared statements. Needs: npm install pg
import pg from 'pg';

const TABLE = 'bench_rest_items';

export default ({ args: { url = 'postgres://127.0.0.1:5432/postgres' } }) => {
  const once = async (...statements) => {
    const client = new pg.Client(String(url));
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const insert = { name: 'insert', text: `INSERT INTO ${TABLE} VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id` };
  const select = { name: 'select', text: `SELECT name FROM ${TABLE} WHERE id = $1` };
  return {
    before: [() => once(`DROP TABLE IF EXISTS ${TABLE}`, `CREATE TABLE ${TABLE} (id bigint PRIMARY KEY, name text)`)],
    beforeUser: async ({ vuCtx }) => {
      vuCtx.client = new pg.Client(String(url));
      await vuCtx.client.connect();
    },
    main: [
      {
        measure: 'insert',
        run: ({ vuCtx, index }) => vuCtx.client.query({ ...insert, values: [index, `item ${index}`] }),
        expect: { json: { '$.rowCount': 1 } },
      },
      {
        measure: 'select',
        run: ({ vuCtx, index }) => vuCtx.client.query({ ...select, values: [index] }),
        expect: { json: { '$.rows[0].name': 'item #{INDEX}' } },
      },
    ],
    afterUser: ({ vuCtx }) => vuCtx.client.end(),
    after: [() => once(`DROP TABLE ${TABLE}`)],
    thresholds: { 'insert p95': '<1s', checks: '>99%' },
  };
};
