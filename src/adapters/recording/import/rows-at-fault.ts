import type { KairosError } from '#domain/errors.ts';
import { unreadable } from './csv-head.ts';
import { BAD_ROWS_TOLD, type BadRows, type LinesLeft } from './row.ts';

/** A file, by what its rows are counted, and what becomes of those that cannot be read. */
interface Rows {
  readonly path: string;
  readonly counted: 'line' | 'row';
  readonly bad: BadRows | undefined;
}

/** The rows of a file that cannot be read: dropped, or the reason to refuse it, which names the first ones. */
export class RowsAtFault {
  private readonly of: Rows;
  private readonly rows: number[] = [];
  private readonly told: string[] = [];
  private first = '';
  private count = 0;

  constructor(of: Rows) {
    this.of = of;
  }

  /** True once the file is refused: it is read on for other rows at fault alone. */
  get isRefused(): boolean {
    return this.of.bad === 'fail' && this.count > 0;
  }

  /** Takes a row and what is wrong with it. Throws DATA_UNREADABLE if nobody said what becomes of such rows, or at one too many to tell. */
  add(row: number, fault: string): void {
    if (this.of.bad === undefined) throw this.fault(row, fault);
    if (this.count === 0) this.first = fault;
    this.count += 1;
    if (this.count <= BAD_ROWS_TOLD) {
      this.rows.push(row);
      this.told.push(`${this.of.counted} ${row} ${fault}`);
    } else if (this.of.bad === 'fail') throw this.refusal();
  }

  /** What was dropped. Throws DATA_UNREADABLE if the file is refused. */
  end(): Pick<LinesLeft, 'bad' | 'badRows'> {
    if (this.isRefused) throw this.refusal();
    return { bad: this.count, badRows: this.told };
  }

  /** A fault of a row by its place. */
  fault(row: number, what: string): KairosError {
    const { path, counted } = this.of;
    return unreadable(counted === 'line' ? `${path}:${row}` : `${path}: row ${row}`, what);
  }

  private refusal(): KairosError {
    const [row = 0, ...others] = this.rows;
    const more = this.count > BAD_ROWS_TOLD ? ' and more' : '';
    const also =
      others.length === 0 ? '' : `; bad as well: ${this.of.counted}${others.length === 1 ? '' : 's'} ${others.join(', ')}${more}`;
    const isEach = this.count > BAD_ROWS_TOLD && this.rows.every((one, place) => one === row + place);
    const mend = isEach ? 'each of these rows is so: that is how the file is written, and not known' : '--bad drop leaves such rows out';
    return this.fault(row, `${this.first}${also}; ${mend}`);
  }
}
