import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXAMPLE_CERTIFICATE, EXAMPLE_KEY } from './example-certificate.ts';
import { freePort } from './free-port.ts';
import { Started } from './process.ts';

export interface Redis {
  readonly port: number;
  readonly process: Started;
  /** Ends it, and removes its folder. */
  close(): Promise<void>;
}

/** Starts a `redis-server` on a free port of this machine that keeps nothing on disk; with TLS for `service.example`. */
export async function startRedis({ password, tls = false }: { readonly password?: string; readonly tls?: boolean } = {}): Promise<Redis> {
  const port = await freePort();
  const dir = mkdtempSync(path.join(tmpdir(), 'kairos-redis-'));
  const [cert, key] = [path.join(dir, 'cert.pem'), path.join(dir, 'key.pem')];
  writeFileSync(cert, EXAMPLE_CERTIFICATE);
  writeFileSync(key, EXAMPLE_KEY);
  const at = tls
    ? ['--port', '0', '--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no']
    : ['--port', String(port)];
  const words = ['--bind', '127.0.0.1', ...at, '--save', '', '--appendonly', 'no', '--dir', dir];
  const process = new Started('redis-server', [...words, ...(password === undefined ? [] : ['--requirepass', password])], { cwd: dir });
  await process.says(/Ready to accept connections/);
  return {
    port,
    process,
    close: async () => {
      await process.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
