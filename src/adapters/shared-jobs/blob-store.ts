import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Timers } from '#ports/timers.ts';
import { blobHash, blobPath } from './blob-server.ts';

interface BlobStoreOptions {
  /** Where blobs are kept, each in a file named by its hash. */
  readonly dir: string;
  /** The `Authorization` of a request for a path. */
  readonly authorization: (path: string) => string;
  readonly timers: Pick<Timers, 'after' | 'uuid'>;
  readonly signal?: AbortSignal;
}

/** Goes on with a download that was cut so often. */
const TRIES = 6;
const PAUSE_MS = 300;
/** A download that lasts longer is cut, and gone on with. */
const MAX_REQUEST_MS = 120_000;

/** Blobs in a folder by hash: what is not there is fetched once from who offers it. What is not what its hash says never leaves it. */
export class BlobStore {
  private readonly options: BlobStoreOptions;

  constructor(options: BlobStoreOptions) {
    this.options = options;
  }

  /** The bytes of a hash. Throws BLOB_UNAVAILABLE. */
  async get(hash: string, url: string): Promise<Uint8Array> {
    const file = path.join(this.options.dir, hash);
    if (existsSync(file)) {
      const kept = readFileSync(file);
      if (blobHash(kept) === hash) return kept;
      rmSync(file, { force: true });
    }
    const bytes = await this.fetched(hash, url);
    mkdirSync(this.options.dir, { recursive: true });
    const part = `${file}.${this.options.timers.uuid()}`;
    writeFileSync(part, bytes);
    renameSync(part, file);
    return bytes;
  }

  private async fetched(hash: string, url: string): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let why = '';
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries > 0) await this.pause();
      try {
        const refused = await this.request(hash, url, parts);
        if (refused !== undefined) throw unavailable(hash, url, refused);
        const whole = Buffer.concat(parts);
        if (blobHash(whole) === hash) return whole;
        why = 'its bytes do not match its hash';
        parts.length = 0;
      } catch (error) {
        if (error instanceof KairosError || this.options.signal?.aborted) throw error;
        // Cut: what came of it is kept, and the rest is asked for.
        why = messageOf(error);
      }
    }
    throw unavailable(hash, url, why);
  }

  /** Adds what comes to `parts`. Returns why nothing may be had; throws where it is cut. */
  private async request(hash: string, url: string, parts: Uint8Array[]): Promise<string | undefined> {
    const { authorization, signal } = this.options;
    const at = blobPath(hash);
    const have = parts.reduce((sum, { length }) => sum + length, 0);
    const response = await fetch(`${url}${at}`, {
      headers: { authorization: authorization(at), ...(have > 0 && { range: `bytes=${have}-` }) },
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(MAX_REQUEST_MS), ...(signal ? [signal] : [])]),
    });
    if (response.status === 401) return 'it refuses the key';
    if (response.status === 404) return 'it does not have it';
    // All that there is was there; its hash says whether it is right.
    if (response.status === 416) return undefined;
    if (response.status !== 200 && response.status !== 206) throw new Error(`answered ${response.status}`);
    if (response.status === 200) parts.length = 0;
    for await (const part of response.body ?? []) parts.push(part);
    return undefined;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.options.timers.after(PAUSE_MS, resolve));
  }
}

const unavailable = (hash: string, url: string, why: string): KairosError =>
  new KairosError(
    'BLOB_UNAVAILABLE',
    `${hash.slice(0, 12)} cannot be fetched from ${url} (${why}): check that the coordinator runs and that this machine can reach queue.url`,
  );
