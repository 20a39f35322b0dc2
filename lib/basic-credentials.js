/**
 * The value of an Authorization field for basic authentication (RFC 7617).
 *
 * @param {string} userAndPassword `user:password`
 * @returns {string}
 */
export function basicCredentials(userAndPassword) {
  return `Basic ${Buffer.from(userAndPassword).toString('base64')}`;
}
