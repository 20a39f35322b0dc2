// The second request needs the id that the first one got.
export default {
  main: [{ post: '/items', json: { name: 'item' }, capture: { id: '$.id' } }, { get: '/items/#{id}' }],
};
