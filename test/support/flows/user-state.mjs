/** A virtual user logs in once. An iteration changes its cookies and variables, which no other one may see. */
export default {
  vars: { token: 'none' },
  beforeUser: async ({ vu, vars, request }) => {
    await request({ post: `/login?vu=${vu}`, capture: { token: '$.token' } });
    vars.note = 'from begin';
  },
  main: [
    { get: `/me?vu=#{VU}&i=#{INDEX}`, headers: { 'x-token': '#{token}' } },
    async ({ vars, vu, request }) => {
      await request({ get: `/note?vu=${vu}&i=0`, headers: { 'x-token': `${vars.token} ${vars.note}` } });
      Object.assign(vars, { token: 'changed', note: 'changed' });
      await request({ get: '/change' });
    },
  ],
  afterUser: ({ vars, vu, request }) => request({ get: `/logout?vu=${vu}&i=0`, headers: { 'x-token': vars.token } }),
};
