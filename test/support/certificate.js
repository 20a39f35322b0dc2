import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate for 127.0.0.1 and these names: `{ key, cert }`. */
export function selfSigned(...names) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  try {
    const san = ['IP:127.0.0.1', ...names.map((name) => `DNS:${name}`)].join(',');
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=test',
        '-addext',
        `subjectAltName=${san}`,
        '-keyout',
        'key.pem',
        '-out',
        'cert.pem',
      ],
      { cwd: folder, stdio: 'ignore' },
    );
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name), 'utf8'));
    return { key, cert };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
