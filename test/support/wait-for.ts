import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 50;

/** What is waited for comes at once on a quiet machine; the end is for what never comes. */
const WITHIN_MS = 100_000;

/** Looks again and again until there is something; undefined when the time is over or there is no reason to go on. */
export async function waitFor<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
  { withinMs = WITHIN_MS, goOn = () => true }: { readonly withinMs?: number; readonly goOn?: () => boolean } = {},
): Promise<Found | undefined> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    const last = !goOn();
    const found = await look();
    if (found !== undefined || last) return found;
    await pause(LOOK_MS);
  }
  return undefined;
}
