import { bookedAfter, runSpans } from '#adapters/journal/booked.ts';
import { lastTimeOf } from '#adapters/journal/replay-rows.ts';
import { configured, movementOf, runNamed } from '#apps/assembly/run-record.ts';
import { TREASURY } from '#core/portfolio/ledger.ts';
import type { LedgerMovement, RunMoney, Traded } from '#report/record.ts';
import type { PastTrades } from './past-trades.ts';

/** What a run did with money: its own movements one by one, those of earlier runs added up. Throws NOT_FOUND for an unknown run. */
export function runMoney(trades: PastTrades, name: string): RunMoney {
  const { journal, found } = trades.readOn();
  const run = runNamed(journal, name);
  const { currency, strategies } = configured(run.run_id, run.config_json);
  const runs = journal.named(runSpans).map(({ run_id }) => run_id);
  const before = new Set(runs.slice(0, runs.indexOf(run.run_id)));
  const first = found.firstEntry(run.run_id);
  const rows = first === undefined ? [] : journal.named((database) => bookedAfter(database, first - 1, { run: run.run_id })).ledger;
  const own = new Set([...strategies.map(({ id }) => id), ...rows.map(({ book }) => book)]);
  const isOwn = ({ book }: { readonly book: string }): boolean => book !== TREASURY && own.has(book);
  const startedAt = Date.parse(run.started_at);
  const ledger = rows.filter(isOwn).map(movementOf);
  const moved = found.moved().filter((sum) => before.has(sum.run) && isOwn(sum));
  const earlier = moved.map(({ run: _run, kind, ...sum }) => ({ ...sum, kind: kind as LedgerMovement['kind'], at: startedAt }));
  const pairs = new Map(found.pairs().map(({ product, ...fill }) => [product, { product, fill }]));
  const traded = (movements: readonly LedgerMovement[]): readonly Traded[] =>
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
