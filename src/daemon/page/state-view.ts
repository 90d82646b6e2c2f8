import type { EngineParts } from '#core/engine/engine-parts.ts';
import { type Snapshot, snapshotOf } from '#core/engine/snapshot.ts';
import type { LaneStatus } from '#core/market/lane-status.ts';
import type { ProfitStatus } from '#core/portfolio/profit-state.ts';
import type { Measures } from '#core/risk/measures.ts';
import { decimalOf } from '#domain/decimal.ts';
import { amountText } from '#domain/lane.ts';
import { modeFacts } from '#domain/mode.ts';
import { currency as currencyOf, isoTime, type Millis, strategyId } from '#domain/names.ts';
import { signalSource } from '#domain/outside-signal.ts';
import { spreadPctOf } from '#domain/quote.ts';
import { REASONS } from '#domain/reasons.ts';
import type { SignalView } from '#server/page/signal-view.ts';
import type { LaneRowView, MoneyView, OpenOrderView, StateView } from '#server/page/view.ts';
import { otherBookView, strategyView } from './strategy-view.ts';

/** Tasks that are shown, under way and over. */
const TASKS = 10;
/** Two figures that are no further apart count as equal. */
const HALF_A_CENT = 0.005;

/** Facts that hold for the life of the process, and facts outside the engine. */
interface RunFacts
  extends Pick<
    StateView,
    'run' | 'book' | 'mode' | 'version' | 'startedAt' | 'phase' | 'service' | 'embedded' | 'pid' | 'notReady' | 'rateWarnings' | 'backtest'
  > {
  readonly currency: string;
  /** Name or path of each strategy's module. */
  readonly modules: ReadonlyMap<string, string>;
  /** Sources of signals from outside, and what was refused of them, by source and cause: `model LATE`. */
  readonly sources: readonly { readonly name: string; readonly staleAfterMs: Millis | null }[];
  readonly refusedSignals: Readonly<Record<string, number>>;
}

/** The page's view of the present, from memory. Changes nothing. */
export function stateView({ currency, modules, sources, refusedSignals, ...facts }: RunFacts, parts: EngineParts, now: Millis): StateView {
  const { halted, trading, time, waitUntil, otherBooks, unknowns, signals } = snapshotOf(parts, now);
  const { sendsOrders, isForTrials } = modeFacts(facts.mode);
  const measures = parts.monitor.measures(now);
  const atWork = parts.parentOrders.atWork();
  const strategies = parts.strategies.map((strategy) =>
    strategyView(strategy, parts, { measures, atWork, use: modules.get(strategy.id) ?? '', now }),
  );
  const configured = new Set(strategies.map(({ id }) => id));
  const named = parts.strategies.flatMap(({ budget }) => [...(budget?.keys() ?? [])]);
  return {
    at: isoTime(now),
    ...facts,
    sendsOrders,
    isForTrials,
    halted,
    trading,
    time: { ...time, ageMs: parts.clockState.ageMs(now), words: time.reason === null ? null : REASONS[time.reason] },
    waitUntil,
    money: moneyOf(measures, currency, new Set([...named, ...strategies.flatMap(({ quoteCcy }) => quoteCcy ?? [])])),
    strategies,
    otherBooks: otherBooks
      .filter(({ id }) => !configured.has(id))
      .map((held) => otherBookView(strategyId(held.id), held, { parts, measures })),
    lanes: [...parts.market.lanes()].map((status) => laneView(status, parts, now)),
    orders: openOrders(parts),
    unknowns,
    limits: measures.limits.map((use) => ({
      ...use,
      forExits: use.forExits ?? 0,
      since: use.since === undefined ? null : isoTime(use.since),
      share: use.limit > 0 ? Math.max(0, use.used) / use.limit : 0,
    })),
    signals: sources.map((source) => signalView(source, { signals, refusedSignals, now })),
    waitingExits: parts.manual.waitingExits(),
    byHand: parts.manual.recent(TASKS),
  };
}

function moneyOf(
  { profit, drawdown, dayLosses, balances, capital, rate }: Measures,
  currency: string,
  budgeted: ReadonlySet<string>,
): MoneyView {
  const unrated = new Set<string>();
  /** Null if nothing is known. */
  const sum = (parts: readonly (readonly [of: string, amount: number | undefined])[]): number | null => {
    let total: number | null = null;
    for (const [of, amount] of parts) {
      if (amount === 0) total ??= 0;
      const factor = amount === 0 ? 0 : rate(of, currency, amount ?? 0);
      if (amount === undefined) continue;
      if (factor === undefined) unrated.add(of);
      else total = (total ?? 0) + amount * factor;
    }
    return total;
  };
  const since = (from: 'atStart' | 'dayBegan') =>
    profit.map((seen) => {
      const begin = seen[from];
      return [seen.currency, seen.present === undefined || begin === undefined ? undefined : seen.present - begin] as const;
    });
  const made = profit.length === 0 ? 0 : sum(profit.map(({ currency: of, present }) => [of, present]));
  const presentIn = new Map<string, number | undefined>(profit.map(({ currency: of, present }) => [of, present]));
  const held = new Set([...budgeted, ...presentIn.keys()]);
  const figures = {
    // A currency is exchanged as one sum, as in the chart of it.
    equity: made === null ? null : sum([...held].map((of) => [of, capital(currencyOf(of)) + (presentIn.get(of) ?? 0)])),
    profit: made,
    profitOfRun: profit.length === 0 ? 0 : sum(since('atStart')),
    profitOfDay: profit.length === 0 ? 0 : sum(since('dayBegan')),
  };
  const losses = dayLosses.map(({ currency: of, lost, isResumed }) => ({ currency: of, profit: 0 - lost, isResumed }));
  const [only, ...others] = losses;
  const isOfDay =
    only?.currency === currency && others.length === 0 && Math.abs(only.profit - (figures.profitOfDay ?? Number.NaN)) < HALF_A_CENT;
  return {
    currency,
    ...figures,
    heldForDayLoss: isOfDay ? [] : losses,
    drawdown: drawdown?.amount ?? null,
    drawdownPct: drawdown?.pct ?? null,
    drawdownCurrency: drawdown?.currency ?? currency,
    unrated: [...unrated].sort(),
    made: profit.map(({ currency: of, present, dayBegan }) => ({
      currency: of,
      profit: present ?? null,
      rate: rate(of, currency, present ?? 0) ?? null,
      profitOfDay: present === undefined || dayBegan === undefined ? null : present - dayBegan,
    })),
    unpriced: [...new Set(profit.flatMap((seen) => seen.unpriced))],
    missing: profit.flatMap(
      (seen) => missingOf(seen, rate(seen.currency, currency, seen.present ?? 0) === undefined ? currency : null) ?? [],
    ),
    laneless: profit.flatMap((seen) => seen.laneless.map(lanelessWords)),
    balances: [...balances].map(([of, amount]) => ({ currency: of, amount: amount.toString() })),
  };
}

function lanelessWords({ product, at }: ProfitStatus['laneless'][number]): string {
  return `${product} has no quote yet and counts at its ${at === 'recorded' ? 'last recorded' : 'entry'} price`;
}

/** Why the profit that a currency made today is left out; undefined where it is not. `unratedIn`: the currency into which it has no rate. */
function missingOf({ currency, present, unpriced, dayBegan }: ProfitStatus, unratedIn: string | null): string | undefined {
  if (unpriced.length > 0) return `no price of ${unpriced.join(', ')} yet`;
  if (present === undefined || dayBegan === undefined) return `no price in ${currency} since the day began`;
  if (unratedIn === null || present === dayBegan) return undefined;
  return `no lane gives a rate from ${currency} to ${unratedIn}`;
}

function signalView(
  { name, staleAfterMs }: RunFacts['sources'][number],
  { signals, refusedSignals, now }: Pick<Snapshot, 'signals'> & Pick<RunFacts, 'refusedSignals'> & { readonly now: Millis },
): SignalView {
  const last = signals.find(({ source }) => source === signalSource(name));
  const refused = Object.entries(refusedSignals).flatMap(([cause, count]) => {
    const [source, error = ''] = cause.split(' ');
    return source === name ? [[error, count] as const] : [];
  });
  return {
    source: name,
    at: last ? isoTime(last.at) : null,
    ageMs: last ? now - last.at : null,
    id: last?.signal.id ?? null,
    value: last?.signal.value ?? {},
    isStale: staleAfterMs !== null && now - (last?.at ?? Number.NEGATIVE_INFINITY) >= staleAfterMs,
    refused: Object.fromEntries(refused),
  };
}

function laneView(status: LaneStatus, { market, clockState }: EngineParts, now: Millis): LaneRowView {
  const { lane, phase, why, epoch, lastQuoteAt, latest, receivedAt, counters } = status;
  const untradable = market.untradable(lane.id, now);
  const zeroSpread = market.largestZeroSpread(lane.product);
  const known = latest && receivedAt !== undefined ? { quote: latest, receivedAt } : undefined;
  return {
    lane: lane.id,
    product: lane.product,
    amount: amountText(lane.amount),
    phase,
    why,
    epoch,
    quoteAt: lastQuoteAt === undefined ? null : isoTime(lastQuoteAt),
    ageMs: lastQuoteAt === undefined ? null : now - lastQuoteAt,
    validityMs: known ? clockState.timeLeftMs(known.quote.validUntil, known.receivedAt) : null,
    timeLeftMs: known ? clockState.timeLeftMs(known.quote.validUntil, now) : null,
    buy: latest?.buy.price ?? null,
    sell: latest?.sell.price ?? null,
    size: latest === undefined ? null : Math.min(latest.buy.size, latest.sell.size),
    spreadPct: latest === undefined ? null : spreadPctOf(latest),
    untradable,
    untradableWords: untradable === null ? null : REASONS[untradable],
    quotes: counters.accepted,
    refused: Object.values(counters.refused).reduce((sum, count) => sum + count, 0),
    zeroSpread: zeroSpread === undefined ? null : decimalOf(zeroSpread).toString(),
  };
}

function openOrders({ books }: EngineParts): readonly OpenOrderView[] {
  return [...books.openOrders()].map(({ id, strategy, product, side, state, figures, quoteCcy, intentAt, quoteId }) => ({
    order: id,
    strategy,
    product,
    side,
    state,
    size: figures.size.toString(),
    price: figures.price.toString(),
    value: figures.value.toString(),
    quoteCcy,
    fee: figures.fee.toString(),
    feeCcy: figures.feeCcy,
    since: isoTime(intentAt),
    quoteId,
  }));
}
