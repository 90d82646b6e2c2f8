/** When histories begin: on a Tuesday morning, some of them 40 minutes before the day ends. */
export const MORNING = Date.UTC(2026, 2, 3, 9, 0, 0);
export const EVENING = Date.UTC(2026, 2, 3, 23, 20, 0);

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

/** What clocks of a zone show, so many milliseconds after a start: to be read as UTC. */
export const localTime = (at: number, { aheadMs }: Zone, startsAt: number): Date => new Date(startsAt + at + aheadMs);
