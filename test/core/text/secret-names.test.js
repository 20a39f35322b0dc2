import { expect } from 'chai';

import { isSecretName } from '../../../lib/core/text/mask.js';

describe('names of secrets', () => {
  for (const name of [
    ...['Authorization', 'Proxy-Authorization', 'Cookie', 'Set-Cookie', 'X-Api-Key', 'X-Goog-Api-Key', 'DD-API-KEY'],
    ...['Ocp-Apim-Subscription-Key', 'X-Amz-Security-Token', 'X-Amz-Signature', 'X-Hub-Signature-256', 'X-CSRF-Token'],
    ...['key', 'keys', 'key2', 'apikey', 'api_key', 'apiKey', 'APIKey', 'API_KEY', 'user.api-key', 'private_key'],
    ...['token', 'accessToken', 'accesstoken', 'idTokens', 'client_secret', 'SECRET_KEY_BASE', 'sig', 'X-Sig', 'auth'],
    ...[
      'x-auth',
      'oauth_verifier',
      'OAuth2',
      'sid',
      'connect.sid',
      'sessionId',
      'sessionid',
      'PHPSESSID',
      'JSESSIONID',
    ],
    ...['ASP.NET_SessionId', 'pwd', 'PGPASSWORD', 'MYSQL_PWD', 'db_pass', 'passwd', 'passphrase', 'user[password]'],
    ...['DBPASS', 'PGPASS', 'dbpwd', 'basicauth', 'proxyauth', 'authheader', 'accesskeyid', 'masterkey', 'sshkey'],
    ...['subscriptionkey', 'webhookkey', 'keypass', 'x-sharedkeylite', 'X-CSRF', 'xsrf', 'SAMLResponse', 'dsn'],
    ...[
      'connectionString',
      'CONNECTION_STRING',
      'connectionstring',
      'sessId',
      'sess_id',
      `${'x'.repeat(200)}_password`,
    ],
    ...['credentials', 'aws_secret_access_key', 'accountkey', 'jwt', 'bearerToken', 'cookies', 'sessions', 'otp'],
  ])
    it(`X62 ${name} is the name of a secret`, () => expect(isSecretName(name)).to.equal(true));

  for (const name of [
    ...['Idempotency-Key', 'X-Idempotency-Key', 'idempotencyKey', 'Sec-WebSocket-Key', 'Keep-Alive', 'Cache-Key'],
    ...['author', 'authority', ':authority', 'WWW-Authenticate', 'keyboard', 'monkey', 'keyword', 'bypass', 'compass'],
    ...['max_tokens', 'totalTokens', 'token_type', 'primaryKey', 'publicKey', 'id', 'side', 'user', 'design', ''],
    ...['assessId', 'compassWidth', 'connection'],
    ...['constructor', '__proto__', 'Content-Type', 'If-None-Match', 'passenger', 'assigned'],
  ])
    it(`X62 ${name || 'the empty name'} is not`, () => expect(isSecretName(name)).to.equal(false));

  it('X10 a long name is decided in linear time', () => {
    for (const piece of ['a', 'A', 'aA', '-', 'key'])
      expect(isSecretName(piece.repeat(1_000_000 / piece.length))).to.be.a('boolean');
  });
});
