import { bookedAfter } from '#adapters/journal/booked.ts';
import { lastTimeOf } from '#adapters/journal/replay-rows.ts';
import { configured, movementOf, runNamed, runsBefore } from '#assembly/run-record.ts';
import { TREASURY } from '#core/portfolio/ledger.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { isFlow } from '#report/equity/holdings.ts';
import { RecordedMarks } from '#report/equity/marks.ts';
import type { LedgerMovement, RunMoney, TradedProduct } from '#report/record.ts';
import type { PastTrades } from './past-trades.ts';

/**
 * What the account did with money in a run: the run's movements one by one, those of earlier runs added up. Capital counts of the strategies
 * that were configured, trading of all books, as a loss stays a loss when its strategy is gone. Throws NOT_FOUND for an unknown run.
 */
export function runMoney(trades: PastTrades, name: string): RunMoney {
  const { journal, found } = trades.readOn();
  const run = runNamed(journal, name);
  const { currency, strategies } = configured(run.run_id, run.config_json);
  const before = runsBefore(journal, run);
  const first = found.firstEntry(run.run_id);
  const rows = first === undefined ? [] : journal.named((database) => bookedAfter(database, first - 1, { run: run.run_id })).ledger;
  const own = new Set(strategies.flatMap(({ id, enabled }) => (enabled === false ? [] : [id])));
  const counts = ({ book, product, kind }: Pick<LedgerMovement, 'book' | 'product' | 'kind'>): boolean =>
    book !== TREASURY && (own.has(book) || product !== null || !isFlow({ kind }));
  const startedAt = Date.parse(run.started_at);
  const ledger = rows.map(movementOf).filter(counts);
  const moved = found.moved().filter((sum) => before.has(sum.run));
  // Sums have no order, which a correction would need.
  const kindOf = (kind: string) => (kind === 'correction' ? 'fill' : kind) as LedgerMovement['kind'];
  const earlier = moved.map(({ run: _run, kind, ...sum }) => ({ ...sum, kind: kindOf(kind), at: startedAt })).filter(counts);
  const pairs = new Map(found.pairs().map(({ product, ...fill }) => [product, { product, fill }]));
  const traded = (movements: readonly LedgerMovement[]): readonly TradedProduct[] =>
    [...new Set(movements.flatMap(({ kind, product }) => (kind === 'fill' && product !== null ? [product] : [])))].flatMap(
      (product) => pairs.get(product) ?? [],
    );
  const last = run.ended_at ?? journal.named((database) => lastTimeOf(database, run.run_id)) ?? run.started_at;
  return {
    run: run.run_id,
    startedAt,
    endedAt: Date.parse(last),
    currency,
    earlier: { fills: traded(earlier), ledger: earlier },
    fills: traded(ledger),
    ledger,
  };
}

/**
 * Without what is in currencies that no recorded quote converts: it is left out of the account's equity, as in the bar of the page. All of
 * it where nothing would be left.
 */
export function ratedMoney(money: RunMoney, columns: readonly QuoteColumns[], into: string): RunMoney {
  const marks = new RecordedMarks(columns);
  const quoteCcys = new Map([...money.earlier.fills, ...money.fills].map(({ product, fill }) => [product, fill.quoteCcy]));
  const isRated = ({ product, currency }: LedgerMovement): boolean =>
    marks.leads((product === null ? undefined : quoteCcys.get(product)) ?? currency, into);
  const [earlier, ledger] = [money.earlier.ledger.filter(isRated), money.ledger.filter(isRated)];
  return [...earlier, ...ledger].some(isFlow) ? { ...money, earlier: { ...money.earlier, ledger: earlier }, ledger } : money;
}
