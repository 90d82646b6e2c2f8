import type { QuoteColumns } from '#domain/quote-columns.ts';
import { ColumnsBuilder } from './columns-builder.ts';
import type { Recorded } from './log-format.ts';

/**
 * The recorded quotes of a run as columns, one set a lane, lanes in the order in which they were first heard. Quotes that
 * newer ones replaced before their turn are among them, without a number. `before` is how many events and quotes there
 * are before these items.
 */
export function columnsOf(items: Iterable<Recorded>, before = 0): readonly QuoteColumns[] {
  const lanes = new LaneColumns();
  let line = before;
  for (const item of items) {
    line += 1;
    lanes.take(line, item);
  }
  return lanes.columns();
}

/** Gathers quotes by lane. */
export class LaneColumns {
  private readonly builders = new Map<string, ColumnsBuilder[]>();

  /** Takes an item of a recording; what is no quote is passed over. Returns whether it was one. */
  take(line: number, item: Recorded): boolean {
    if (item.kind === 'conflated') {
      this.builderFor(item.quote).add({ line, n: null, at: item.at }, item.quote);
      return true;
    }
    const { n, at, event } = item.event;
    if (event.kind !== 'quote') return false;
    this.builderFor(event.quote).add({ line, n, at }, event.quote);
    return true;
  }

  columns(): readonly QuoteColumns[] {
    return [...this.builders.values()].flat().map((builder) => builder.columns());
  }

  private builderFor(quote: Parameters<ColumnsBuilder['add']>[1]): ColumnsBuilder {
    const known = this.builders.get(quote.lane);
    const fitting = known?.find((builder) => builder.accepts(quote));
    if (fitting) return fitting;
    const fresh = new ColumnsBuilder(quote);
    if (known) known.push(fresh);
    else this.builders.set(quote.lane, [fresh]);
    return fresh;
  }
}
