import { isoTime } from '#domain/names.ts';
import { CALM_MS, lengthMs, type PlannedLine, type SimulationPlan } from '#lab/simulator/plan/plan.ts';
import { MORNING } from '#lab/simulator/plan/zones.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import type { JournalEye } from './journal-eye.ts';

/** The roll of a plan's financing in milliseconds from the start; null without financing. */
function rollOf({ settings, startsAt = MORNING }: SimulationPlan): number | null {
  const [, time = ''] = settings.map((one) => /^account\.financing\.time="(\d\d:\d\d)"$/.exec(one)).find((found) => found !== null) ?? [];
  return time === '' ? null : Date.parse(`${isoTime(startsAt).slice(0, 10)}T${time}Z`) - startsAt;
}

/** Checks that financing over a roll was booked once, whatever the number of restarts. */
export function checkFinancing(eye: JournalEye, { plan }: Scene, violate: Violate): void {
  const roll = rollOf(plan);
  const rows = eye.rows("SELECT 1 FROM decisions WHERE kind = 'booked' AND json_extract(detail, '$.why') LIKE 'roll of %'");
  const due = roll !== null && roll < lengthMs(plan) - 2 * CALM_MS ? 1 : 0;
  if (rows.length > 1 || rows.length < due)
    violate('financing', `the roll of positions fell due ${roll === null ? 'never' : 'once'}, and is booked ${rows.length} times`);
}

interface ActionDetail {
  readonly actionId: string;
  readonly dueAt: string;
  readonly askedAt: string;
  readonly status: string;
  readonly response: string;
  readonly missed?: string;
}

interface ScheduledDetail {
  readonly lines: readonly { readonly name: string; readonly upTo: string; readonly next: string | null }[];
}

/** What a person did of the schedule, whose times that does not change. */
const BY_PERSON = "SELECT detail ->> '$.actionId' FROM decisions WHERE kind = 'action' AND reason = 'BY_PERSON'";

/** How late a line is for certain and for certain not: the clocks of machine and service are seconds apart. */
const [LATE_MS, ON_TIME_MS] = [16_000, 4_000];
const DAY_MS = 86_400_000;
/** How long after a suspension rows may still have times of before it, in milliseconds. */
const SLEPT_MS = 60_000;
/** How long after an action the row of its effect may come, in milliseconds. */
const DONE_MS = 1_000;

/** Checks that each line of the schedule was done once at its time, as its policy has it, whatever happened to daemon and clocks. */
export function checkSchedule(eye: JournalEye, { plan, troubles, world: { startsAt } }: Scene, violate: Violate): void {
  const suspensions = troubles.all('F57').map(({ trouble }) => trouble);
  const hasSlept = (at: number): boolean => suspensions.some(({ from, figure }) => from < at && at < from + figure + SLEPT_MS);
  for (const line of plan.schedule) {
    const { name, action } = line;
    const firsts = firstDetails(eye, name);
    const dealt = firsts.map(({ dueAt, missed, response }) => {
      const last = Date.parse(dueAt) - startsAt;
      const since =
        missed === undefined ? undefined : /, and (?:before that|missed before) since ([^\s:]+:[^\s:]+:[\d.]+Z)/.exec(response)?.[1];
      return { from: since === undefined ? last : Date.parse(since) - startsAt, last };
    });
    for (const at of timesOf(line, lengthMs(plan))) {
      const times = dealt.filter(({ from, last }) => from <= at && at <= last).length;
      if (times > 1) violate('schedule', `${name} (${action}) fell due at ${isoTime(startsAt + at)}, and is journaled ${times} times`);
      if (times === 0 && at < lengthMs(plan) - 2 * CALM_MS)
        violate('schedule', `${name} (${action}) fell due at ${isoTime(startsAt + at)}, and nothing is journaled of it`);
    }
    for (const detail of firsts) {
      const at = Date.parse(detail.dueAt) - startsAt;
      const after = plan.schedule.find((other) => detail.response.endsWith(`: ${other.name} came after it`));
      checkAction(
        eye,
        { ...line, at },
        { detail, slept: hasSlept(at), isReplaced: after !== undefined && replaces(after, { ...line, at }), violate },
      );
      if (nextOf(line, at - 1) !== at) violate('schedule', `${name} (${action}) fell due at ${detail.dueAt}, which is none of its times`);
    }
  }
  const lineNamed = new Map(plan.schedule.map((line) => [line.name, line]));
  for (const text of detailsOf(eye, 'scheduled')) {
    const { lines }: ScheduledDetail = JSON.parse(text);
    for (const { name, upTo, next } of lines) {
      const line = lineNamed.get(name);
      const wanted = line && startsAt + nextOf(line, Date.parse(upTo) - startsAt);
      if (next === null || Date.parse(next) !== wanted) violate('schedule', `${name} is done up to ${upTo}, and its next time is ${next}`);
    }
  }
}

/** The first time of a line after another, in milliseconds from the start. */
function nextOf({ at, everyMs = DAY_MS }: PlannedLine, after: number): number {
  return after < at ? at : at + (Math.floor((after - at) / everyMs) + 1) * everyMs;
}

function timesOf(line: PlannedLine, lengthMs: number): readonly number[] {
  const times: number[] = [];
  for (let time = line.at; time < lengthMs; time = nextOf(line, time)) times.push(time);
  return times;
}

/** The first row of each time that a line has fallen due. */
function firstDetails(eye: JournalEye, name: string): readonly ActionDetail[] {
  const seen = new Map<string, ActionDetail>();
  for (const text of detailsOf(eye, 'action', name)) {
    const detail: ActionDetail = JSON.parse(text);
    if (!seen.has(detail.actionId)) seen.set(detail.actionId, detail);
  }
  return [...seen.values()];
}

/** True where a line does or undoes what one before it would have done. */
function replaces(after: PlannedLine, line: PlannedLine): boolean {
  const isPause = ({ action }: PlannedLine): boolean => action === 'bot.pause' || action === 'bot.resume';
  const isOfOne = ({ action }: PlannedLine): boolean => action === 'remote.start' || action === 'remote.pause';
  const isAlike =
    after.action === line.action ||
    (isPause(after) && isPause(line)) ||
    (isOfOne(line) && (isOfOne(after) || after.action === 'remote.pauseAll'));
  const isLater = after.everyMs !== undefined || after.at >= line.at;
  return isLater && isAlike && after.strategy === line.strategy;
}

/** The details of rows of a kind, of one name where that is given. */
function detailsOf(eye: JournalEye, kind: string, name = ''): readonly string[] {
  const sql = `SELECT detail FROM decisions
    WHERE kind = ? AND (? = '' OR detail ->> '$.name' = ?) AND coalesce(detail ->> '$.actionId', '') NOT IN (${BY_PERSON}) ORDER BY seq`;
  return eye.rows<{ detail: string }>(sql, kind, name, name).map(({ detail }) => detail);
}

/** The first row of a line: at its time, or late and done as its policy has it, with its effect. */
function checkAction(
  eye: JournalEye,
  { name, action, missed: policy, strategy }: PlannedLine,
  by: { readonly detail: ActionDetail; readonly slept: boolean; readonly isReplaced: boolean; readonly violate: Violate },
): void {
  const { dueAt, askedAt, status, missed, response } = by.detail;
  const say = (isSo: boolean, what: string): void => {
    if (!isSo) by.violate('schedule', `${name} (${action}), due at ${dueAt}, asked at ${askedAt}, is ${status} ${response}: ${what}`);
  };
  const lateMs = Date.parse(askedAt) - Date.parse(dueAt);
  const isOnTime = response.startsWith('on time');
  say(lateMs < LATE_MS || missed !== undefined, 'it is late, and was not missed');
  say(by.slept || lateMs > ON_TIME_MS || missed === undefined || isOnTime, 'it is on time, and was missed');
  const isDone = status !== 'skipped';
  const isNever = action === 'bot.flatten';
  say(missed !== 'run' || isOnTime || (policy === 'run' && !isNever), `its policy is ${policy}`);
  // One that would run is over its time.
  say(missed !== 'alert' || policy !== 'skip', `its policy is ${policy}`);
  say(
    missed !== 'skip' || policy === 'skip' || (policy === 'run' && by.isReplaced),
    `its policy is ${policy}, and no later line does its work`,
  );
  const isBusy = response === 'the one before is not done yet';
  say(missed === undefined || isBusy || isDone === (missed === 'run'), `what becomes of it is ${missed}`);
  if (status !== 'confirmed') return;
  const kinds: Readonly<Record<string, string>> = { 'bot.pause': 'paused', 'bot.resume': 'resumed', 'bot.flatten': 'by_hand' };
  const kind = kinds[action];
  const effects =
    kind === undefined
      ? []
      : eye.rows<{ at: string }>(
          `SELECT at FROM decisions WHERE kind = ? AND coalesce(strategy, '') = ? AND reason = 'BY_SCHEDULE'`,
          ...[kind, kind === 'by_hand' ? '' : (strategy ?? '')],
        );
  const isThere = effects.some((row) => Math.abs(Date.parse(row.at) - Date.parse(askedAt)) < DONE_MS);
  say(kind === undefined || isThere, `no row says ${kind}`);
  const halts = action === 'bot.halt' ? eye.rows<{ at: string }>("SELECT at FROM decisions WHERE kind = 'halted'") : [];
  say(action !== 'bot.halt' || halts.some((row) => Date.parse(row.at) < Date.parse(askedAt) + DONE_MS), 'no row says halted');
}
