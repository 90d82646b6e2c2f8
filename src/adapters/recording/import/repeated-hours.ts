import type { ImportRepeatedHours } from '#adapters/recording/manifest.ts';
import { type ClockChange, clockChangeText, type UnclearTime } from '#domain/clock-change.ts';
import type { Millis } from '#domain/names.ts';
import { BarTable } from './bars.ts';
import type { PriceRow } from './row.ts';

const HOUR_MS = 3_600_000;

/** Why a local time is none that clocks showed. */
export const leftOutBy = ({ change }: UnclearTime): string => `was no time: ${clockChangeText(change)}; --zone names the zone of a file`;

/** Takes a row with its line, or place in its file. */
type PassRow = (row: PriceRow, place: number) => void;

/**
 * Tells the hours apart that local times show twice when clocks go back. Rows of such an hour wait until the file leaves it: where its
 * order turns back there, the other of the two hours begins. Where it does not, all of them are taken for the first one.
 */
export class RepeatedHours {
  private readonly pass: PassRow;
  private change: ClockChange | undefined;
  private waiting = new BarTable();
  /** Of each row that waits: its place, and its time in the first of both hours. */
  private places: number[] = [];
  private times: Millis[] = [];
  private last: Millis | undefined;
  /** Steps forward less steps back, of rows that do not wait. */
  private steps = 0;
  /** The largest step of less than an hour in either direction: how far rows are out of order where they go the other way. */
  private largestMs = { forward: 0, back: 0 };
  private unsure: ImportRepeatedHours | null = null;

  constructor(pass: PassRow) {
    this.pass = pass;
  }

  /** Takes a row. `unclear`: what its time says, where that comes twice. */
  add(row: PriceRow, place: number, unclear?: UnclearTime): void {
    if (this.change && this.change.at !== unclear?.change.at) this.leave(row.at);
    if (unclear === undefined) {
      this.see(row.at);
      this.pass(row, place);
      return;
    }
    this.change = unclear.change;
    this.waiting.take(row);
    this.places.push(place);
    this.times.push(row.at);
  }

  /** Passes what waits. Returns the rows whose hour is not known. */
  end(): ImportRepeatedHours | null {
    if (this.change) this.leave(undefined);
    return this.unsure;
  }

  private see(at: Millis): void {
    const step = at - (this.last ?? at);
    this.last = at;
    this.steps += Math.sign(step);
    const way = step > 0 ? 'forward' : 'back';
    const size = Math.abs(step);
    if (size < HOUR_MS && size > this.largestMs[way]) this.largestMs[way] = size;
  }

  /** Passes the rows of an hour, whose next row is of the time `next`. */
  private leave(next: Millis | undefined): void {
    const { change, waiting, places, times } = this;
    if (!change) return;
    this.change = undefined;
    this.waiting = new BarTable();
    this.places = [];
    this.times = [];
    const repeatedMs = change.aheadBeforeMs - change.aheadAfterMs;
    const isNewestFirst = wayOf(times, this.steps, next) < 0;
    const turn = turnIn(times, isNewestFirst, this.largestMs[isNewestFirst ? 'forward' : 'back']);
    const isLate = turn === undefined && this.isLate(times[0] ?? 0, isNewestFirst ? 0 : repeatedMs, isNewestFirst);
    if (turn === undefined && !isLate) {
      const { rows = 0, changes = 0, change: first = change } = this.unsure ?? {};
      this.unsure = { rows: rows + times.length, changes: changes + 1, change: first };
    }
    const later = isNewestFirst ? { from: 0, to: turn ?? 0 } : { from: turn ?? (isLate ? 0 : times.length), to: times.length };
    let index = 0;
    for (const row of waiting) {
      if (index >= later.from && index < later.to) row.at += repeatedMs;
      this.last = row.at;
      this.pass(row, places[index] ?? 0);
      index += 1;
    }
  }

  /** True where the file had left the hour by less than another: what comes now is a late row of the one that it left last. */
  private isLate(time: Millis, laterMs: Millis, isNewestFirst: boolean): boolean {
    const ms = ((this.last ?? time) - (time + laterMs)) * (isNewestFirst ? -1 : 1);
    return this.last !== undefined && ms > 0 && ms < HOUR_MS;
  }
}

/** Above zero where a file is in the order of time, below where it has the newest rows first. */
function wayOf(times: readonly Millis[], steps: number, next: Millis | undefined): number {
  const first = times[0] ?? 0;
  if (steps !== 0) return steps;
  if (next !== undefined) return next - first;
  return times.reduce((sum, time, row) => sum + Math.sign(time - (times[row - 1] ?? time)), 0);
}

/** The row with which the other hour begins: that of the one turn that is larger than rows are out of order elsewhere. */
function turnIn(times: readonly Millis[], isNewestFirst: boolean, disorderMs: Millis): number | undefined {
  // Two bars as wide as the hour, or two samples an hour.
  if (times.length === 2 && times[0] === times[1]) return 1;
  let [largest, next, turn] = [0, 0, 0];
  for (let row = 1; row < times.length; row += 1) {
    const back = ((times[row - 1] ?? 0) - (times[row] ?? 0)) * (isNewestFirst ? -1 : 1);
    if (back > largest) [largest, next, turn] = [back, largest, row];
    else if (back > next) next = back;
  }
  return largest > disorderMs && largest > 2 * next ? turn : undefined;
}
