import { KairosError } from '#domain/errors.ts';

/** Where a queue is, without its password. */
export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username: string | undefined;
  readonly isTls: boolean;
  /** `host:port`, for people. */
  readonly shown: string;
}

/** Reads `redis://host:port/db` or, with TLS, `rediss://`. Throws USAGE, and SECRET_EXPOSED for a password in it. */
export function queueAddress(text: string): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '')
    throw new KairosError('USAGE', '--queue must be redis://HOST:PORT, or rediss://HOST:PORT for TLS');
  if (url.password !== '')
    throw new KairosError(
      'SECRET_EXPOSED',
      '--queue contains a password, which every user of this machine can read in the process list; set KAIROS_QUEUE_PASSWORD or KAIROS_QUEUE_PASSWORD_FILE instead',
    );
  const db = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  if (db === undefined)
    throw new KairosError('USAGE', '--queue: only the number of a database may follow the host, such as redis://HOST:6379/2');
  const port = url.port === '' ? 6379 : Number(url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port,
    db: Number(db),
    username: url.username === '' ? undefined : decodeURIComponent(url.username),
    isTls: url.protocol === 'rediss:',
    shown: `${url.hostname}:${port}`,
  };
}
