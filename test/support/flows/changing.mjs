/** The first operation follows no redirect where the index is odd, the second sends the user that a hook wrote. */
const stay = (all) => {
  if (all.env.index % 2 === 1) all.requestOptions.followRedirect = false;
};
const login = (all) => {
  all.env.user = `u${all.env.index}`;
};

export default [
  { get: '/a/#{INDEX}', headers: { cookie: 'own=1' }, beforeHooks: [stay] },
  { get: '/b/#{INDEX}', beforeHooks: [login] },
];
