import { createHash } from 'node:crypto';
import path from 'node:path';
import { Thread } from '#adapters/threads/thread.ts';
import { messageOf } from '#domain/errors.ts';
import type { BuildTask, BuiltFile } from '#report/page/page-build.ts';
import type { Asset } from '#server/page/target.ts';

/** The build thread's only message: the files that it built. */
export interface BuildThread {
  readonly data: BuildTask;
  readonly toThread: never;
  readonly fromThread: readonly BuiltFile[];
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * The files of the page: built by the first request for one, in a thread of its own, and kept in memory. Where they cannot be
 * built the page says so, and the next request tries again.
 */
export class PageFiles {
  private readonly task: BuildTask;
  private built: Promise<ReadonlyMap<string, Asset>> | undefined;
  private thread: Thread<BuildThread> | undefined;

  constructor(task: BuildTask) {
    this.task = task;
  }

  /** A file by its path, `/` for the page; undefined for an unknown path. */
  async asset(url: string): Promise<Asset | undefined> {
    const name = url === '/' ? 'index.html' : url.slice(1);
    this.built ??= this.build();
    try {
      return (await this.built).get(name);
    } catch (error) {
      this.built = undefined;
      return name === 'index.html' ? assetOf('index.html', Buffer.from(excuse(messageOf(error)))) : undefined;
    }
  }

  async close(): Promise<void> {
    await this.thread?.stop();
  }

  private async build(): Promise<ReadonlyMap<string, Asset>> {
    const entry = new URL('./page-build-entry.ts', import.meta.url);
    this.thread = new Thread<BuildThread>({ entry, name: 'page build', data: this.task });
    const files = await this.thread.next();
    return new Map(files.map(({ name, body }) => [name, assetOf(name, Buffer.from(body))]));
  }
}

function assetOf(name: string, body: Buffer): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return { type: TYPES[path.extname(name)] ?? 'application/octet-stream', body, hash };
}

function excuse(why: string): string {
  const text = why.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Kairos</title><h1>The page could not be built</h1>
<p>The daemon runs; <code>kairos status</code> shows what it does. Run <code>npm ci</code> in the folder of Kairos and load this again.</p>
<pre>${text}</pre></html>`;
}
