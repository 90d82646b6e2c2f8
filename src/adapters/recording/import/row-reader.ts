import type { UnclearTime } from '#domain/clock-change.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { anyCell, isPrice, numberIn, timeIn } from './cells.ts';
import type { Layout } from './layout.ts';
import { OneSubject } from './one-subject.ts';
import { leftOutBy, RepeatedHours } from './repeated-hours.ts';
import { type ColumnMap, type DecimalSign, type LinesLeft, misshapen, OPTIONS_MEND, type PriceRow, type TakeRow } from './row.ts';
import { RowsAtFault } from './rows-at-fault.ts';
import { type ApplySpread, isSpread, NO_SPREAD, putApartIn } from './spread.ts';

/** The value of a column in the row that is read. */
type CellAt = (column: number) => unknown;

/** A file whose columns are known. */
interface File {
  readonly path: string;
  /** What its rows are counted by. */
  readonly counted: 'line' | 'row';
  readonly layout: Layout;
  readonly map: ColumnMap;
  /** The decimal sign of all prices; undefined where no price may have a comma. */
  readonly sign: DecimalSign | undefined;
}

/** Makes prices of the rows of a file, one after the other. */
export class RowReader {
  private readonly file: File;
  private readonly present: PriceRow = { at: 0, bid: 0, ask: 0, low: 0, high: 0, open: 0 };
  private readonly atFault: RowsAtFault;
  private readonly subject = new OneSubject();
  private readonly putApart: ApplySpread | undefined;
  private readonly hours: RepeatedHours;
  private unfinished = 0;
  /** The sides of the last row that was taken, for a file whose rows name those that changed. */
  private bid = Number.NaN;
  private ask = Number.NaN;

  constructor(file: File, onRow: TakeRow) {
    this.file = file;
    this.atFault = new RowsAtFault({ path: file.path, counted: file.counted, bad: file.map.bad });
    this.putApart = putApartIn(file.layout, file.map);
    this.hours = new RepeatedHours((row, place) => {
      const ends = onRow(row);
      if (ends !== undefined) throw this.atFault.fault(place, ends);
    });
  }

  /** Takes a row by its place. Throws DATA_UNREADABLE where it ends the import. */
  read(place: number, cell: CellAt): void {
    const { present: row, file, atFault } = this;
    const { layout, map } = file;
    const time = timeIn(cell(layout.time), layout.clock < 0 ? undefined : cell(layout.clock), map);
    const unclear = typeof time === 'number' ? undefined : time;
    row.at = typeof time === 'number' ? time : (time.instants[0] ?? Number.NaN);
    const fault = this.prices(cell) ?? (row.at >= FIRST_COUNTED && row.at < PRICES_END ? undefined : this.timeFault(cell, unclear));
    if (fault !== undefined) return this.refuse(place, fault);
    if (layout.whole >= 0 && UNFINISHED.test(anyCell(cell(layout.whole)))) {
      this.unfinished += 1;
      return;
    }
    const contradiction = (layout.isBars ? misshapen(row, layout) : undefined) ?? this.apart(cell);
    if (contradiction !== undefined) return this.refuse(place, contradiction);
    if (atFault.isRefused) return;
    for (const column of layout.subjects) {
      const other = this.subject.see(layout.titles[column] ?? '', anyCell(cell(column)));
      if (other !== undefined) throw atFault.fault(place, other);
    }
    this.bid = row.bid;
    this.ask = row.ask;
    this.hours.add(row, place, unclear);
  }

  /** Takes what is wrong with a row. */
  refuse(place: number, fault: string): void {
    this.atFault.add(place, fault);
  }

  end(): LinesLeft {
    return { ...this.atFault.end(), unfinished: this.unfinished, repeatedHours: this.hours.end() };
  }

  /** What is wrong with a cell. */
  fault(cell: CellAt, column: number, what: string): string {
    return `column '${this.file.layout.titles[column] ?? ''}': '${anyCell(cell(column)).slice(0, 40)}' ${what}`;
  }

  /** Reads the prices of a row. Returns what is wrong with the first one that is none. */
  private prices(cell: CellAt): string | undefined {
    const { present: row } = this;
    const { bid, ask, low, high, open, keepsSides } = this.file.layout;
    const side = (column: number, before: number): number =>
      keepsSides && anyCell(cell(column)) === '' ? before : this.number(cell(column));
    row.bid = side(bid, this.bid);
    if (!isPrice(row.bid)) return this.noPrice(cell, bid);
    row.ask = ask === bid ? row.bid : side(ask, this.ask);
    if (!isPrice(row.ask)) return this.noPrice(cell, ask);
    row.low = low < 0 ? row.bid : this.number(cell(low));
    if (!isPrice(row.low)) return this.noPrice(cell, low);
    row.high = high < 0 ? row.ask : this.number(cell(high));
    if (!isPrice(row.high)) return this.noPrice(cell, high);
    row.open = open < 0 ? Number.NaN : this.number(cell(open));
    return open >= 0 && !isPrice(row.open) ? this.noPrice(cell, open) : undefined;
  }

  /** Puts bid and ask apart, where the file has their distance. Returns why they cannot be. */
  private apart(cell: CellAt): string | undefined {
    if (!this.putApart) return undefined;
    const { spreads } = this.file.layout;
    const units = this.number(cell(spreads));
    const fault = isSpread(units) ? this.putApart(this.present, units) : NO_SPREAD;
    return fault === undefined ? undefined : this.fault(cell, spreads, fault);
  }

  private number(value: unknown): number {
    const { layout, sign } = this.file;
    if (!layout.countsBillionths || typeof value === 'number' || anyCell(value).includes('.')) return numberIn(value, sign);
    const count = numberIn(value, sign);
    // The largest whole number of 64 bits stands for no price.
    return count < 2 ** 63 ? count / 1e9 : Number.NaN;
  }

  private noPrice(cell: CellAt, column: number): string {
    const { decimal, mends = OPTIONS_MEND } = this.file.map;
    const isPriceBy = (sign: DecimalSign): boolean => isPrice(numberIn(cell(column), sign));
    if (decimal === undefined) {
      const isEither = isPriceBy('comma') || isPriceBy('point');
      return this.fault(cell, column, isEither ? `has another decimal sign than the first rows: ${mends.decimal(decimal)}` : NO_PRICE);
    }
    const other = decimal === 'comma' ? 'point' : 'comma';
    return this.fault(cell, column, isPriceBy(other) ? `has a decimal ${other}: ${mends.decimal(decimal)}` : NO_PRICE);
  }

  /** What is wrong with a time that is none, or none of a recorded price. */
  private timeFault(cell: CellAt, unclear: UnclearTime | undefined): string | undefined {
    const { at } = this.present;
    if (!(Math.abs(at) <= LAST_MS)) return this.noTime(cell, unclear);
    const { layout, map } = this.file;
    const clocks = { counted: false, zoned: false, unzoned: false, dated: false };
    timeIn(cell(layout.time), layout.clock < 0 ? undefined : cell(layout.clock), { ...map, clocks });
    const first = clocks.counted && map.unit === 'auto' ? FIRST_COUNTED : FIRST_DATED;
    if (at < PRICES_END && (at >= first || map.isRelative)) return undefined;
    const bound = at < PRICES_END ? `before ${isoTime(first).slice(0, 10)}` : 'after 2099';
    return this.fault(
      cell,
      layout.time,
      `is ${isoTime(at)}, and no price is ${bound}${clocks.counted ? (map.mends ?? OPTIONS_MEND).unit : ''}`,
    );
  }

  private noTime(cell: CellAt, unclear: UnclearTime | undefined): string {
    const { layout, map } = this.file;
    const { mends = OPTIONS_MEND } = map;
    if (unclear) return this.fault(cell, layout.clock < 0 ? layout.time : layout.clock, leftOutBy(unclear));
    const text = anyCell(cell(layout.time));
    const isDate = map.dates === undefined && /^\d{1,2}([-/])\d{1,2}\1(\d{4}|\d{2})\b/.test(text);
    const unit = layout.clock < 0 && /^[\d.]+$/.test(text) ? mends.unit : ', such as 2024-03-01 14:30:00';
    return this.fault(cell, layout.time, isDate ? `can be read as two dates: ${mends.dates}` : `is not a time${unit}`);
  }
}

/** What says of a bar that it is not over. */
const UNFINISHED = /^(0|false)$/i;
const NO_PRICE = 'is not a price above zero, to 1e30';
/** The last instant that has a date. */
const LAST_MS = 8.64e15;
/** In 1973: a count of a time before that is no count of a time, where nobody said its unit. */
const FIRST_COUNTED: Millis = 1e11;
const FIRST_DATED: Millis = Date.UTC(1800, 0);
/** Prices that somebody made up may be of a later time than now. */
const PRICES_END: Millis = Date.UTC(2100, 0);
