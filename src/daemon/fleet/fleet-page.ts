import { fileURLToPath } from 'node:url';
import { PageFiles } from '#daemon/page/page-files.ts';
import type { Timers } from '#ports/timers.ts';
import { type FleetTarget, openFleet } from '#server/fleet/server.ts';

/** The page's source, which comes with Kairos. */
const SOURCE = fileURLToPath(new URL('../../../web/fleet', import.meta.url));

interface FleetPageOptions {
  readonly port: number;
  readonly token: string;
  readonly target: FleetTarget;
  readonly timers: Pick<Timers, 'monotonicMs'>;
}

/** Opens the page of a fleet. Throws PORT_IN_USE. */
export async function openFleetPage(options: FleetPageOptions): Promise<{ readonly url: string; close(): Promise<void> }> {
  const files = new PageFiles({ source: SOURCE, cache: null });
  const server = await openFleet({ ...options, asset: (path) => files.asset(path) });
  return {
    url: server.url,
    async close() {
      await server.close();
      await files.close();
    },
  };
}
