/** Without a server: each virtual user has a client, which counts the calls that it got. */
export default {
  beforeUser: async ({ vu, vuCtx, measure }) => {
    vuCtx.client = await measure('connect', async () => ({ vu, calls: 0 }));
  },
  main: [
    { measure: 'insert', run: async ({ index, vuCtx }) => ({ id: index, calls: ++vuCtx.client.calls }) },
    async ({ index, measure }) => {
      await measure('select', async () => {
        if (index % 4 === 3) throw Object.assign(new Error(`no row ${index}`), { code: 'E_NO_ROW' });
      });
    },
  ],
  afterUser: async ({ vuCtx, measure }) => void (await measure('close', async () => vuCtx.client.calls)),
};
