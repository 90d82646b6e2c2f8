import type { FleetView } from '#server/fleet/view.ts';
import { look } from '../live/ask.ts';
import { Store } from '../live/store.ts';
import { alarmsOf } from './alarms.ts';

const EVERY_MS = 2_000;

/** The last state from the fleet's server. `heardAt`: when it arrived (`performance.now()`); `isLost`: the server does not answer now. */
interface FleetState {
  readonly fleet: FleetView;
  readonly heardAt: number;
  readonly isLost: boolean;
}

export const fleetStore = new Store<FleetState | null>(null);

/** Polls the server while the page is open. */
export async function followFleet(): Promise<void> {
  const found = await look<FleetView>('/api/fleet');
  const before = fleetStore.get();
  if (found.kind === 'done') {
    fleetStore.set({ fleet: found.body, heardAt: performance.now(), isLost: false });
    document.title = titleOf(found.body);
  } else if (before) fleetStore.set({ ...before, isLost: true });
  setTimeout(() => void followFleet(), EVERY_MS);
}

/** The title of the browser's tab. */
function titleOf({ daemons }: FleetView): string {
  const alarms = daemons.reduce((sum, daemon) => sum + alarmsOf(daemon).length, 0);
  return `${alarms > 0 ? `${alarms} ${alarms === 1 ? 'alarm' : 'alarms'} \u00b7 ` : ''}Kairos fleet`;
}
