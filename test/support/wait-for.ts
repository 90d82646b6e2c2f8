import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 50;

/** What is waited for comes at once on a quiet machine; the end is for what never comes. */
const WITHIN_MS = 100_000;

type Look<Found> = () => Found | undefined | Promise<Found | undefined>;

interface Bounds {
  readonly withinMs?: number;
  readonly goOn?: () => boolean;
}

/** Looks again and again until there is something. Throws when the time is over or there is no reason to go on. */
export async function waitFor<Found>(look: Look<Found>, bounds?: Bounds): Promise<Found> {
  const found = await lookFor(look, bounds);
  if (found === undefined) throw new Error(`what was waited for did not come: ${look}`);
  return found;
}

/** As `waitFor`, for one who tells better what is missing: undefined when the time is over or there is no reason to go on. */
export async function lookFor<Found>(
  look: Look<Found>,
  { withinMs = WITHIN_MS, goOn = () => true }: Bounds = {},
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
