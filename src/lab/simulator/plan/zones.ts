import { EPOCH } from '#lab/simulator/world/machine.ts';

/** A time zone, and how far it is ahead of UTC in milliseconds. */
export interface Zone {
  readonly timezone?: string;
  readonly aheadMs: number;
}

export const UTC: Zone = { aheadMs: 0 };

/** Time zones, and how far they are ahead of UTC on the day of all histories. */
export const ZONES: readonly Zone[] = [
  UTC,
  UTC,
  { timezone: 'America/New_York', aheadMs: -300 * 60_000 },
  { timezone: 'Asia/Kolkata', aheadMs: 330 * 60_000 },
];

/** What clocks of a zone show, so many milliseconds after the start: to be read as UTC. */
export const localTime = (at: number, { aheadMs }: Zone): Date => new Date(EPOCH + at + aheadMs);
