import { fillsBetween, runSpans } from '#adapters/journal/booked.ts';
import type { DecisionPages } from '#adapters/journal/decision-pages.ts';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { runNamed } from '#assembly/run-record.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import type { ChartHistory } from '#server/page/history-view.ts';
import { Bars, stepFor } from './bars.ts';
import type { PastTrades } from './past-trades.ts';
import { happened } from './price-history.ts';
import type { RunQuotes } from './run-quotes.ts';
import type { SignalLines } from './signal-lines.ts';

type ChartAsk = Extract<HistoryAsk, { kind: 'chart' }>;

/** More cannot be told apart on any screen. */
const MAX_FILLS = 3_000;
const MAX_TRADES = 500;

/** One product over a time span: bars from the recordings of all runs, with the orders and signals in it. */
export async function chartHistory(
  { product, from, to, bars, refusals, run }: ChartAsk,
  journal: JournalReader,
  read: { readonly pages: DecisionPages; readonly quotes: RunQuotes; readonly trades: PastTrades; readonly lines: SignalLines },
): Promise<ChartHistory> {
  const runs = journal.named(runSpans);
  const parts = [...read.quotes.between(runs, { product, from, to })];
  const lane = busiest(parts.flat());
  const stepMs = stepFor(to - from, bars);
  const filled = new Bars(stepMs);
  for (const columns of parts) for (const one of columns) if (one.lane === lane?.lane) filled.add(one, from, to);
  const { trades } = read;
  const fills = journal.named((database) => fillsBetween(database, { from, to })).filter((fill) => fill.product === product);
  const asked = runNamed(journal, run ?? 'last');
  const quotes = (of: string, since: number) => read.quotes.between(runs, { product: of, from: since, to });
  const told = await Promise.all(
    strategiesOf(asked, product).map(async (strategy) => ({
      strategy,
      ...happened(read.pages, strategy, { from, to }),
      lines: await read.lines.of(strategy, asked, { from, to, stepMs }, quotes),
    })),
  );
  return {
    product,
    lane: lane?.lane ?? null,
    currency: lane?.quoteCcy ?? null,
    from,
    to,
    stepMs,
    bars: filled.all,
    fills: fills.slice(-MAX_FILLS).map(({ at, fill, orderId, strategy }) => ({
      at,
      side: fill.side,
      price: Number(fill.price),
      size: fill.size,
      order: orderId,
      strategy,
      closed: trades.closedBy(orderId),
    })),
    fillsLeftOut: Math.max(0, fills.length - MAX_FILLS),
    // A run that is looked back at knows nothing of what ended later.
    trades: trades.found
      .openBetween(product, { from, to, endedBy: run === null ? null : to }, MAX_TRADES)
      .map(({ book, side, openedAt, closedAt, entryPrice, exitPrice, profit }) => ({
        strategy: book,
        side,
        openedAt,
        closedAt,
        entryPrice,
        exitPrice,
        profit: Number(profit),
      })),
    refusals: refusals ? told.flatMap(({ marks }) => marks.filter(({ kind }) => kind !== 'fill')).sort((a, b) => a.at - b.at) : [],
    signals: told.flatMap(({ strategy, signals, lines }) =>
      [...new Set([...Object.keys(signals), ...lines.keys()])].map((name) => {
        const line = lines.get(name);
        return { strategy, name, isWhole: line !== undefined, points: line ?? signals[name] ?? [] };
      }),
    ),
    runs: runs.map(({ run_id, started_at }) => ({ run: run_id, at: Date.parse(started_at) })).filter(({ at }) => at >= from && at < to),
  };
}

/** The lane that brought the most quotes. */
function busiest(columns: readonly QuoteColumns[]): QuoteColumns | undefined {
  const counts = new Map<string, number>();
  for (const { lane, length } of columns) counts.set(lane, (counts.get(lane) ?? 0) + length);
  return [...columns].sort((a, b) => (counts.get(b.lane) ?? 0) - (counts.get(a.lane) ?? 0))[0];
}

function strategiesOf({ run_id, config_json }: ReturnType<typeof runNamed>, product: string): readonly string[] {
  return recordedSettings(run_id, config_json)
    .strategies.filter((one) => one.product.toLowerCase() === product)
    .map(({ id }) => id);
}
