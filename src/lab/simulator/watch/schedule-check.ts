import { CALM_MS, lengthMs, type SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import type { JournalEye } from './journal-eye.ts';

/** The roll of a plan's financing in milliseconds from the start; null without financing. */
function rollOf({ settings }: SimulationPlan): number | null {
  const [, minute = ''] = settings.map((one) => /^account\.financing\.time="09:(\d\d)"$/.exec(one)).find((found) => found !== null) ?? [];
  return minute === '' ? null : Number(minute) * 60_000;
}

/** Checks that financing over a roll was booked once, whatever the number of restarts. */
export function checkFinancing(eye: JournalEye, { plan }: Scene, violate: Violate): void {
  const roll = rollOf(plan);
  const rows = eye.rows("SELECT 1 FROM decisions WHERE kind = 'booked' AND json_extract(detail, '$.why') LIKE 'roll of %'");
  const due = roll !== null && roll < lengthMs(plan) - 2 * CALM_MS ? 1 : 0;
  if (rows.length > 1 || rows.length < due)
    violate('financing', `the roll of positions fell due ${roll === null ? 'never' : 'once'}, and is booked ${rows.length} times`);
}

/** Checks that each line of the schedule was done once at its time, whatever happened to daemon and clocks. */
export function checkSchedule(eye: JournalEye, { plan }: Scene, violate: Violate): void {
  for (const { name, action, at } of plan.schedule) {
    const rows = eye.rows<{ status: string }>('SELECT status FROM actions WHERE name = ?', name);
    if (rows.length > 1) violate('schedule', `${name} (${action}) fell due once, and is journaled ${rows.length} times`);
    if (rows.length === 0 && at < lengthMs(plan) - 2 * CALM_MS)
      violate('schedule', `${name} (${action}) fell due, and nothing is journaled of it`);
  }
}
