import type { Draws } from '#lab/simulator/world/draws.ts';
import type { PlannedHours } from './plan.ts';
import { localTime, MORNING, ZONES } from './zones.ts';

const MINUTE = 60_000;

/** Of a history of a morning, with the calm behind it, draws when a strategy may open positions: hours of days, over midnight too, or dates on which it may not. */
export function drawHours(draws: Draws, lengthMs: number): PlannedHours {
  const zone = draws.pick(ZONES);
  const [from, length] = [draws.whole(2, 25) * MINUTE, draws.whole(5, 30) * MINUTE];
  const to = from + length;
  const textOf = (at: number): string => localTime(at, zone, MORNING).toISOString().slice(11, 16);
  const dateOf = (at: number): string => localTime(at, zone, MORNING).toISOString().slice(0, 10);
  const [today, yesterday] = [dateOf(0), dateOf(-24 * 60 * MINUTE)];
  // All histories are of a Tuesday.
  const days = draws.pick(['', 'tue ', 'mon-fri ', 'sat-tue ', 'mon,tue ']);
  const between = [[from, to]] as const;
  const drawn: readonly (readonly [Readonly<Record<string, readonly string[]>>, PlannedHours['closed']])[] = [
    [
      { open: [`${days}${textOf(from)}-${textOf(to)}`] },
      [
        [0, from],
        [to, lengthMs],
      ],
    ],
    [{ open: [`${days}${textOf(-60 * MINUTE)}-${textOf(from)}`, `${days}${textOf(to)}-${textOf(to + 60 * MINUTE)}`] }, between],
    [{ open: [`${days}${textOf(to)}-${textOf(from)}`] }, days === 'tue ' ? [[0, to]] : between],
    [{ closed: [`${today} ${textOf(from)}-${textOf(to)}`] }, between],
    [{ closed: [`${yesterday}..${today} ${textOf(from)}-${textOf(to)}`] }, between],
    [{ open: ['sat,sun 00:00-24:00', 'mon-fri 00:00-24:00'], closed: [yesterday, `${today} ${textOf(from)}-${textOf(to)}`] }, between],
    [{ open: ['wed-mon 00:00-24:00'] }, [[0, lengthMs]]],
  ];
  const [spans, closed] = draws.pick(drawn);
  return { windows: { ...spans, ...(zone.timezone !== undefined && { timezone: zone.timezone }) }, closed };
}
