// It sends two operations in turn, whose heads differ.
export default { main: [{ get: '/a' }, { get: '/b', headers: { a: '1' } }] };
