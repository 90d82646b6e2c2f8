import type { EngineStrategy } from '#core/engine/engine-options.ts';
import type { EngineParts } from '#core/engine/engine-parts.ts';
import type { AtWork } from '#core/execution/at-work.ts';
import type { Measures } from '#core/risk/measures.ts';
import { journaled } from '#core/strategy/kept-text.ts';
import { decimalOf } from '#domain/decimal.ts';
import { amountText } from '#domain/lane.ts';
import { isoTime, type LaneId, type Millis, type ProductCode, type StrategyId } from '#domain/names.ts';
import { stateWords } from '#domain/no-order-words.ts';
import { unrealisedAt } from '#domain/position.ts';
import { meaningOf } from '#domain/reasons.ts';
import { StrategyCounts } from '#domain/strategy-counts.ts';
import type { StrategyState } from '#domain/strategy-state.ts';
import type { BookView, MadeView, OtherBookView, StrategyStateView, StrategyView, WaitingView } from '#server/page/view.ts';

interface ViewSources {
  readonly measures: Measures;
  readonly atWork: readonly AtWork[];
  readonly use: string;
  readonly now: Millis;
}

/** What a strategy holds, in all its books, and what it can do. */
export function strategyView(strategy: EngineStrategy, parts: EngineParts, { measures, atWork, use, now }: ViewSources): StrategyView {
  const { id, product, lane, amount, enabled, budget: named } = strategy;
  const { state, states, silences, host, exitWatch, market, budgets } = parts;
  const quoteCcy = market.latest(lane)?.quoteCcy ?? (named?.size === 1 ? ([...named.keys()][0] ?? null) : null);
  const own = bookView(strategy, { product, quoteCcy }, parts, measures);
  const legs = legsOf(strategy, parts).map((leg) => bookView(strategy, leg, parts, measures));
  const made = madeBy([own, ...legs]);
  const budget = quoteCcy === null ? null : budgets.opening(id, quoteCcy);
  return {
    id,
    ...own,
    state: strategyStateView(states.of(id, now), silences.since(id)),
    use,
    lane,
    amount: amountText(amount),
    paused: state.isPaused(id),
    disabled: host.isDisabled(id),
    enabled,
    exits: exitWatch.levels(id, product, market.latest(lane)),
    legs,
    made,
    profit: quoteCcy === null ? own.profit : (made.find(({ currency }) => currency === quoteCcy)?.profit ?? null),
    budgetLeft: quoteCcy === null ? null : budgets.left(id, quoteCcy).toString(),
    budget: budget === null ? null : budget.toString(),
    waiting: atWork.filter((one) => one.strategy === id).map(waitingView),
    counts: { ...new StrategyCounts(), ...host.runners.byId.get(id)?.counts },
    observed: Object.fromEntries(Object.entries(host.observed(id)).map(([name, value]) => [name, journaled(value)])),
  };
}

/** The products in which a strategy has a book besides its own product's: those of its lane inputs, and others where anything came of it. */
function legsOf({ id, product: own, inputs }: EngineStrategy, { books, market, monitor }: EngineParts) {
  const lanes = new Map<ProductCode, LaneId>();
  for (const { kind, product, source } of Object.values(inputs ?? {})) if (kind === 'lane') lanes.set(product, source);
  const found = [...books.positions()].filter(({ strategy, product }) => {
    if (strategy !== id || product === own) return false;
    const { low, high } = books.interval(id, product);
    return lanes.has(product) || !books.book(id, product).cash.isZero() || !low.isZero() || !high.isZero();
  });
  return found.map(({ product, size }) => {
    const lane = lanes.get(product);
    const quoted = lane === undefined ? undefined : market.latest(lane)?.quoteCcy;
    return { product, quoteCcy: quoted ?? monitor.priced(product, size.toNumber()).currency ?? null };
  });
}

/** What a book of no configured strategy holds of a product. */
export function otherBookView(
  id: StrategyId,
  { product, position }: Pick<BookView, 'position'> & { readonly product: ProductCode },
  { parts, measures }: { readonly parts: EngineParts; readonly measures: Measures },
): OtherBookView {
  const quoteCcy = parts.monitor.priced(product, Number(position)).currency ?? null;
  return { id, ...bookView({ id }, { product, quoteCcy }, parts, measures) };
}

function bookView(
  { id }: Pick<EngineStrategy, 'id'>,
  { product, quoteCcy }: Pick<BookView, 'quoteCcy'> & { readonly product: ProductCode },
  { books }: EngineParts,
  measures: Measures,
): BookView {
  const book = books.book(id, product);
  const { low, high } = books.interval(id, product);
  const size = book.size.toNumber();
  const price = size === 0 ? 0 : measures.mark(product, size);
  return {
    product,
    position: book.size.toString(),
    low: low.toString(),
    high: high.toString(),
    entry: size === 0 ? null : book.entry.toString(),
    openedAt: book.openedAt === undefined ? null : isoTime(book.openedAt),
    mark: size === 0 ? null : (price ?? null),
    quoteCcy,
    unrealised: price === undefined ? null : unrealisedAt(book.lots, decimalOf(price)).toNumber(),
    profit: price === undefined ? null : book.cash.toNumber() + size * price,
  };
}

/** What books come to by quote currency; null where one of them cannot be said. */
function madeBy(books: readonly BookView[]): readonly MadeView[] {
  const sums = new Map<string, number | null>();
  for (const { quoteCcy, profit } of books) {
    if (quoteCcy === null) continue;
    const sum = sums.get(quoteCcy);
    sums.set(quoteCcy, sum === null || profit === null ? null : (sum ?? 0) + profit);
  }
  return [...sums].map(([currency, profit]) => ({ currency, profit }));
}

function strategyStateView(state: StrategyState, blockedSince: Millis | null): StrategyStateView {
  const time = (at: Millis | null): string | null => (at === null ? null : isoTime(at));
  return {
    name: state.state,
    reason: state.reason,
    ...stateWords(state),
    since: time(state.since ?? blockedSince),
    until: time(state.until),
    blockedSince: time(blockedSince),
  };
}

const waitingView = ({ strategy: _strategy, until, ...leg }: AtWork): WaitingView => ({
  ...leg,
  until: until === null ? null : isoTime(until),
  lastWords: meaningOf(leg.last),
});
