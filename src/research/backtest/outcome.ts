import type { Decision, DecisionOf } from '#domain/decision.ts';
import type { PastFill } from '#domain/event.ts';
import { isoTime } from '#domain/names.ts';
import { oncePer } from '#domain/once-per.ts';
import { reportBooks } from '#report/books.ts';
import { decisionsSeen } from '#report/order-history.ts';
import { type Movement, type ProfitRow, profitBy } from '#report/profit.ts';
import { timesOf } from '#report/refused-words.ts';
import type { BacktestRun, RefusedQuotes } from './backtest.ts';

/** How the fills of a backtest came about. */
interface FillShares {
  readonly fills: number;
  /** At a recorded quote of that lane and size. */
  readonly exact: number;
  readonly modelled: number;
  /** Fills that came before the quote of an earlier fill in the product had expired. */
  readonly withinValidity: number;
}

/** The result of a backtest, for people and machines. */
export interface BacktestOutcome {
  readonly run: string;
  readonly from: string;
  readonly to: string;
  readonly quotes: number;
  /** Quotes that their lanes refused, such as crossed ones, by reason. */
  readonly refusedQuotes: RefusedQuotes;
  readonly latency: string;
  readonly shares: FillShares;
  /** Why and when trading first halted; null if it never did. */
  readonly halted: { readonly at: string; readonly reason: string; readonly why: string } | null;
  /** Why and when trading first became REDUCING; null if it never did. */
  readonly reducing: BacktestOutcome['halted'];
  /** Orders by state. */
  readonly orders: Readonly<Record<string, number>>;
  /** Refusals and failed legs by reason, the most frequent first, repetitions counted, with the strategies that met them. */
  readonly refusals: readonly { readonly reason: string; readonly count: number; readonly strategies: readonly string[] }[];
  readonly profit: readonly ProfitRow[];
  /** Realised profit, financing and unrealised profit, by currency. */
  readonly net: Readonly<Record<string, string>>;
}

/** Reads the result of a backtest from its decisions. */
export const outcomeOf = oncePer((run: BacktestRun): BacktestOutcome => {
  const { decisions } = run;
  const fills = fillsOf(decisions);
  const report = reportBooks(fills, tagsOf(decisions), run.lastQuotes);
  const profit = profitBy('strategy', report, movementsOf(run));
  return {
    run: run.run,
    from: isoTime(run.startedAt),
    to: isoTime(run.endedAt),
    quotes: run.quotes,
    refusedQuotes: run.refusedQuotes,
    latency: run.latency,
    shares: sharesOf(decisions),
    halted: stopOf(decisions, 'halted'),
    reducing: stopOf(decisions, 'reducing'),
    orders: statesOf(decisions),
    refusals: refusalsOf(decisions),
    profit,
    net: Object.fromEntries(
      profit
        .filter(({ group }) => group === 'total')
        .map(({ currency, profit: realised, financing, unrealised }) => [
          currency,
          realised
            .plus(financing)
            .plus(unrealised ?? 0)
            .toString(),
        ]),
    ),
  };
});

/** Executions in their order. */
export function fillsOf(decisions: readonly Decision[]): readonly PastFill[] {
  return decisions.flatMap((decision): PastFill[] => {
    if (decision.kind !== 'accepted') return [];
    const { orderId, strategy, product, at, detail } = decision;
    if (orderId === null || strategy === null || product === null) return [];
    return [{ orderId, strategy, product, at, fill: detail.fill }];
  });
}

/** What reports read of decisions. */
export const summaryOf = oncePer((decisions: readonly Decision[]) => decisionsSeen(decisions));

/** Orders with a modelled fill, since their size was not recorded. */
export const modelledOrders = oncePer((decisions: readonly Decision[]): ReadonlySet<string> => {
  const modelled = decisions.filter((one): one is DecisionOf<'accepted'> => one.kind === 'accepted' && isModelled(one.detail.body));
  return new Set(modelled.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])));
});

function isModelled(body: string): boolean {
  const answer: unknown = body === '' ? undefined : JSON.parse(body);
  return typeof answer === 'object' && answer !== null && 'fill' in answer && answer.fill === 'modelled';
}

/** How the fills of a backtest came about. */
export const sharesOf = oncePer((decisions: readonly Decision[]): FillShares => {
  const modelled = modelledOrders(decisions).size;
  const diesAt = new Map<string, number>();
  const lastOf = new Map<string, number>();
  let fills = 0;
  let withinValidity = 0;
  for (const decision of decisions) {
    if (decision.kind === 'approved') diesAt.set(decision.detail.order.id, decision.detail.order.validUntil);
    if (decision.kind !== 'accepted' || decision.product === null) continue;
    fills += 1;
    if (decision.at <= (lastOf.get(decision.product) ?? Number.NEGATIVE_INFINITY)) withinValidity += 1;
    const dies = diesAt.get(decision.orderId ?? '') ?? 0;
    lastOf.set(decision.product, Math.max(dies, lastOf.get(decision.product) ?? 0));
  }
  return { fills, exact: fills - modelled, modelled, withinValidity };
});

function stopOf(decisions: readonly Decision[], kind: 'halted' | 'reducing'): BacktestOutcome['halted'] {
  const stop = decisions.find((one): one is DecisionOf<'halted' | 'reducing'> => one.kind === kind);
  return stop ? { at: isoTime(stop.at), reason: stop.reason ?? '-', why: stop.detail.why } : null;
}

const SETTLED: ReadonlySet<string> = new Set(['expired', 'not_sent', 'accepted', 'rejected', 'unknown']);

function statesOf(decisions: readonly Decision[]): Readonly<Record<string, number>> {
  const states = new Map<string, string>();
  for (const { kind, orderId } of decisions) if (orderId !== null && SETTLED.has(kind)) states.set(orderId, kind);
  const counts: Record<string, number> = {};
  for (const state of states.values()) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function refusalsOf(decisions: readonly Decision[]): BacktestOutcome['refusals'] {
  const met = new Map<string, { count: number; readonly strategies: Set<string> }>();
  for (const { kind, reason, strategy, detail } of decisions) {
    if (kind !== 'refused' && kind !== 'leg_failed') continue;
    const one = met.get(reason ?? '-') ?? { count: 0, strategies: new Set() };
    met.set(reason ?? '-', one);
    one.count += timesOf('repeated' in detail ? detail.repeated : undefined);
    if (strategy !== null) one.strategies.add(strategy);
  }
  return [...met]
    .map(([reason, { count, strategies }]) => ({ reason, count, strategies: [...strategies] }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

function tagsOf(decisions: readonly Decision[]): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const decision of decisions) {
    if (decision.kind === 'intent' && decision.orderId !== null && decision.detail.tag !== null)
      tags.set(decision.orderId, decision.detail.tag);
  }
  return tags;
}

/** The ledger by the decisions, as far as returns on capital need it. */
function movementsOf({ decisions, startedAt }: BacktestRun): readonly Movement[] {
  const booked = decisions.flatMap((decision): Movement[] => {
    if (decision.kind !== 'booked') return [];
    return decision.detail.entries.map((entry) => ({ at: isoTime(decision.at), ...entry }));
  });
  return openedAtStart(booked, isoTime(startedAt));
}

/**
 * The ledger of a backtest with all budgets at its start, also those of products whose quotes begin later: they are the capital of the whole run,
 * and no deposit in its middle.
 */
export const openedAtStart = (ledger: readonly Movement[], startedAt: string): readonly Movement[] =>
  ledger.map((movement) => (movement.kind === 'opening' ? { ...movement, at: startedAt } : movement));
