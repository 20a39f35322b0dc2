export default {
  scenarios: {
    browse: { main: ['/home'] },
    buy: {
      main: [
        async ({ request, index }) => {
          const { status } = await request({ post: '/orders', name: 'order', json: { index } });
          if (status !== 200) throw new Error('no order');
        },
      ],
    },
  },
};
