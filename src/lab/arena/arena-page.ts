import { fileURLToPath } from 'node:url';
import { PageFiles } from '#daemon/page/page-files.ts';
import { openArena } from '#lab/arena/server/server.ts';
import type { Timers } from '#ports/timers.ts';

/** The page's source in the package. */
const SOURCE = fileURLToPath(new URL('../../../web/arena', import.meta.url));

interface ArenaPageOptions {
  readonly port: number;
  /** The `Film` as JSON, as `ArenaTarget` has it. */
  readonly film: (after: number | null) => string;
  readonly timers: Pick<Timers, 'monotonicMs' | 'uuid'>;
}

/** Opens the page of the arena. Throws PORT_IN_USE. */
export async function openArenaPage({ port, film, timers }: ArenaPageOptions): Promise<{ readonly url: string; close(): Promise<void> }> {
  const files = new PageFiles({ source: SOURCE, cache: null });
  const server = await openArena({ port, target: { asset: (path) => files.asset(path), film }, timers });
  return {
    url: server.url,
    async close() {
      await server.close();
      await files.close();
    },
  };
}
