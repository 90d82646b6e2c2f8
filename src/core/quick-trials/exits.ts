import { DecisionLog } from '#core/decisions/decision-log.ts';
import { type ExitRules, Exits } from '#core/execution/exits.ts';
import { Book } from '#core/portfolio/books.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Intent } from '#domain/intent.ts';
import type { Millis } from '#domain/names.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import type { Rows } from './rows.ts';

/** Exits of the positions of one trial, found along the rows by the engine's own rules. */
export class TrialExits {
  private readonly rows: Rows;
  private readonly instance: StrategyInstance;
  private readonly log = new DecisionLog(UNWRITTEN);
  private readonly book = new Book();
  private readonly exits: Exits;
  /** The first row that was not looked at. */
  private row = 0;

  constructor(instance: StrategyInstance, rules: ExitRules, rows: Rows) {
    this.rows = rows;
    this.instance = instance;
    const { id: strategy, product } = instance;
    this.exits = new Exits({ watched: [{ strategy, product, rules }], log: this.log, bookOf: () => this.book });
  }

  /** An order on a row was executed; quotes count from another row on. */
  filled(sign: 1 | -1, { on, at, from }: { readonly on: number; readonly at: Millis; readonly from: number }): void {
    const { quotes, fees } = this.rows;
    const { baseCcy, quoteCcy } = quotes;
    const side = sign === 1 ? 'buy' : 'sell';
    const told = (column: Float64Array): Decimal => decimalOf(figureAt(column, on));
    const figures = {
      price: told(quotes[side].price),
      size: told(quotes[side].size),
      value: told(quotes[side].value),
      fee: told(fees[side]),
    };
    this.book.apply({ side, ...figures, feeCcy: quoteCcy, baseCcy, quoteCcy }, at);
    this.row = from;
    // What was due is over with its position.
    if (this.book.size.isZero()) this.exits.check(this.instance.id, quoteAt(quotes, on), this.rows.product);
  }

  /** The first exit on a row up to this one; undefined where none is due. */
  upTo(last: number): { readonly row: number; readonly intent: Intent } | undefined {
    const { quotes, product } = this.rows;
    const { id } = this.instance;
    if (this.book.sizeFigure === 0) return undefined;
    while (this.row <= last) {
      const row = this.exits.lookAhead(id, quotes, { span: [this.row, last + 1], product });
      this.row = row + 1;
      if (row > last) break;
      this.log.inboxSeq = row;
      this.log.now = figureAt(quotes.at, row);
      const intent = this.exits.check(id, quoteAt(quotes, row), product);
      if (intent) return { row, intent };
    }
    this.row = Math.min(this.row, last + 1);
    return undefined;
  }
}

/** What exits would write of themselves is the engine's to write. */
const UNWRITTEN = { commit: () => {}, defer: () => {}, write: () => {}, flush: () => {}, end: () => {} };
