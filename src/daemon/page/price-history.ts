import { ALL_KINDS, type DecisionPages } from '#adapters/journal/decision-pages.ts';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { decisionOf } from '#adapters/journal/records.ts';
import { newestQuotes } from '#adapters/recording/newest-past.ts';
import { columnsIn } from '#adapters/recording/open-columns.ts';
import { isRecorded } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { runNamed } from '#assembly/run-record.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { DecisionKind } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import { figureAt } from '#domain/figure-at.ts';
import { laneFor } from '#domain/lane.ts';
import { isoTime, productCode } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';
import { describeDecision } from '#report/decision-words.ts';
import { withoutRepeat } from '#report/own-signal.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import type { MarkView, PriceHistory } from '#server/page/history-view.ts';

type PricesAsk = Extract<HistoryAsk, { kind: 'prices' }>;
type Prices = PriceHistory['prices'];
type Price = Prices[number];

/** Number of quotes shown without a time span: an hour at two a second. */
const NEWEST = 7_200;
/** Number of journal rows searched for marks and signals. */
const ROWS = 3_000;

const MARKED: ReadonlySet<DecisionKind> = new Set(['refused', 'accepted', 'rejected', 'unknown', 'expired', 'not_sent']);

/** Where the journal and the recordings are. */
export interface HistoryPlaces {
  readonly journal: string;
  readonly recordings: string;
}

/**
 * The prices on a strategy's lane with what it named and did. Without times: the newest quotes, of earlier runs of the book
 * as well. Throws NOT_FOUND for a run or a strategy that is not there.
 */
export function priceHistory(
  ask: PricesAsk,
  journal: JournalReader,
  read: { pages: DecisionPages; places: HistoryPlaces },
): Omit<PriceHistory, 'whole'> {
  const { pages, places } = read;
  const run = runNamed(journal, ask.run);
  const { run_id, config_json, book, started_at } = run;
  const strategy = recordedSettings(run_id, config_json).strategies.find(({ id }) => id === ask.strategy);
  if (!strategy) throw new KairosError('NOT_FOUND', `run ${run_id} has no strategy ${JSON.stringify(ask.strategy)}`);
  const { id: lane } = laneFor(productCode(strategy.product), strategy.amount);
  const from = ask.from ?? Date.parse(started_at);
  const to = ask.to ?? (run.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(run.ended_at));
  const newest = ask.run === 'last' && ask.from === null && ask.to === null;
  const path = logPath(places.recordings, run_id);
  const quotes = newest ? newestOf({ dir: places.recordings, book }, lane) : isRecorded(path) ? between(path, lane, { from, to }) : [];
  const first = newest ? (quotes[0]?.at ?? from) : from;
  const last = quotes.at(-1)?.at ?? Date.parse(run.ended_at ?? started_at);
  return {
    run: run_id,
    strategy: strategy.id,
    product: strategy.product,
    lane,
    from: isoTime(first),
    to: isoTime(Math.max(first, last)),
    why: quotes.length === 0 ? 'no quotes of this lane are recorded for this time' : null,
    prices: thinned(quotes, ask.points),
    ...happened(pages, strategy.id, { from: first, to }),
  };
}

const newestOf = (book: { readonly dir: string; readonly book: string }, lane: string): Prices =>
  (newestQuotes(book, new Map([[lane, NEWEST]])).get(lane) ?? []).map(({ at, quote }) => ({
    at,
    buy: quote.buy.price,
    sell: quote.sell.price,
  }));

function between(path: string, lane: string, span: { readonly from: number; readonly to: number }): Prices {
  return columnsIn([path], { ...span, reads: (one) => one.lane === lane }).flatMap(({ at, buy, sell }) =>
    Array.from(at, (when, row): Price => ({ at: when, buy: figureAt(buy.price, row), sell: figureAt(sell.price, row) })),
  );
}

/** Thins a series to a maximum length and keeps the lowest and highest of each stretch, in order. */
function thinned(prices: Prices, points: number): Prices {
  if (prices.length <= points) return prices;
  const stretches = Math.max(1, Math.floor(points / 2));
  const width = prices.length / stretches;
  const kept: Price[] = [];
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const part = prices.slice(Math.floor(stretch * width), Math.floor((stretch + 1) * width));
    const [first] = part;
    if (!first) continue;
    let low = first;
    let high = first;
    for (const one of part) {
      if (one.sell < low.sell) low = one;
      if (one.buy > high.buy) high = one;
    }
    kept.push(...(low === high ? [low] : low.at <= high.at ? [low, high] : [high, low]));
  }
  return kept;
}

/** The signals of a strategy and the outcomes of its intents, from its newest rows in a time span. */
export function happened(
  pages: Pick<DecisionPages, 'before' | 'end' | 'endAt'>,
  strategy: string,
  span: { readonly from: number; readonly to: number },
): Pick<PriceHistory, 'signals' | 'marks'> {
  const before = (Number.isFinite(span.to) ? pages.endAt(isoTime(span.to)) : pages.end()) + 1;
  const rows = pages.before({ before, limit: ROWS, strategy, ...ALL_KINDS }).toReversed();
  const signals = new Map<string, { at: number; value: number }[]>();
  const marks: MarkView[] = [];
  /** Side and price of each order as intended. */
  const wanted = new Map<string, { side: 'buy' | 'sell'; price: number }>();
  for (const row of rows) {
    const decision = decisionOf(row);
    const { kind, at, orderId: order } = decision;
    const seen = kind === 'intent' ? decision.detail : kind === 'refused' ? decision.detail.intent : undefined;
    const want = seen && { side: seen.side, price: seen.side === 'buy' ? seen.quote.buy : seen.quote.sell };
    if (want && order !== null) wanted.set(order, want);
    if (at < span.from || at > span.to) continue;
    const named = kind === 'hold' ? decision.detail.signals : seen?.signals;
    for (const [name, value] of Object.entries(named ?? {})) {
      if (typeof value !== 'number' || !Number.isFinite(value)) continue;
      const series = signals.get(name);
      if (series) series.push({ at, value });
      else signals.set(name, [{ at, value }]);
    }
    const place = want ?? (order === null ? undefined : wanted.get(order));
    if (!MARKED.has(kind) || !place) continue;
    const price = kind === 'accepted' ? Number(decision.detail.fill.price) : place.price;
    marks.push({ seq: row.seq, at, kind: markOf(kind), side: place.side, price, order, words: oneLine(describeDecision(decision)) });
  }
  const shown = withoutRepeat(signals, (one, other) => one.at === other.at && one.value === other.value);
  return { signals: Object.fromEntries(shown), marks };
}

function markOf(kind: DecisionKind): MarkView['kind'] {
  switch (kind) {
    case 'refused':
    case 'rejected':
    case 'unknown':
    case 'expired':
    case 'not_sent':
      return kind;
    default:
      return 'fill';
  }
}
