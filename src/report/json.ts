import { isoTime } from '#domain/names.ts';
import type { Equity } from './equity/equity-value.ts';
import { headlinesJson } from './headline.ts';
import type { Halt, OrderHistory } from './order-history.ts';
import type { RunReport } from './report.ts';

/** A report for machines: every figure by its id, every table whole; charts are left out. Times are ISO 8601. */
export function reportJson(report: RunReport): unknown {
  const { run, sections, conventions, equity, buyAndHold, coinFlips, trades, heldAtSize, open, halts, reducings, orders } = report;
  const figures = sections.flatMap((section) => section.figures);
  return {
    summary: report.summary,
    title: report.title,
    run: { ...run, config: undefined, startedAt: isoTime(run.startedAt), endedAt: isoTime(run.endedAt) },
    ...headlinesJson(report.headlines),
    settings: JSON.parse(run.config),
    currency: report.currency,
    verdict: report.verdict,
    figures: Object.fromEntries(
      figures.map(({ id, label, unit, value, currency, note }) => [
        id,
        {
          value: unit === 'time' && value !== null ? isoTime(value) : value,
          unit,
          label,
          ...(currency !== undefined && { currency }),
          ...(note !== undefined && { [value === null ? 'why' : 'note']: note }),
        },
      ]),
    ),
    conventions: Object.fromEntries(conventions.map(({ about, rule }) => [about, rule])),
    equity: equityJson(equity),
    buyAndHold: equityJson(buyAndHold),
    heldAtSize: equityJson(heldAtSize),
    coinFlips: typeof coinFlips === 'string' ? { why: coinFlips } : { ...coinFlips, profits: undefined },
    months: report.months,
    trades: trades.map((trade) => ({ ...trade, openedAt: isoTime(trade.openedAt), closedAt: isoTime(trade.closedAt) })),
    orders: orders.map(orderJson),
    open: open.map((one) => ({ ...one, openedAt: one.openedAt === null ? null : isoTime(one.openedAt) })),
    groups: report.groups,
    refusals: report.refusals,
    halts: halts.map(spellJson),
    reducings: reducings.map(spellJson),
    trials: report.trials,
    latencies: report.latencies,
  };
}

const spellJson = ({ from, to, why, reason }: Halt) => ({ from: isoTime(from), to: to === null ? null : isoTime(to), why, reason });

const timeOf = (at: number | null): string | null => (at === null ? null : isoTime(at));

/** An order with its outcome; `fill` is null if it was not executed. */
function orderJson({ order, sentAt, filledAt, quoteBuy, quoteSell, ...rest }: OrderHistory): unknown {
  const { intentAt, validUntil, ...asked } = order;
  const quoted = { quoteBuy: Number.isNaN(quoteBuy) ? null : quoteBuy, quoteSell: Number.isNaN(quoteSell) ? null : quoteSell };
  const times = { intentAt: isoTime(intentAt), validUntil: isoTime(validUntil), sentAt: timeOf(sentAt), filledAt: timeOf(filledAt) };
  return { ...asked, ...times, ...quoted, ...rest };
}

function equityJson(equity: Equity | string): unknown {
  if (typeof equity === 'string') return { why: equity };
  const { chart: _chart, fallChart: _fallChart, paidChart: _paidChart, ...rest } = equity;
  return {
    ...rest,
    curve: curveJson(equity),
    from: isoTime(rest.from),
    to: isoTime(rest.to),
    empty: rest.empty.map(({ from, to }) => ({ from: isoTime(from), to: isoTime(to) })),
    unrecorded: rest.unrecorded.map(({ from, to }) => ({ from: isoTime(from), to: isoTime(to) })),
    partly: rest.partly.map(({ product, from, to }) => ({ product, from: isoTime(from), to: isoTime(to) })),
    firstRates: rest.firstRates.map(({ currency, at }) => ({ currency, at: isoTime(at) })),
    days: rest.days.map((day) => ({ ...day, at: isoTime(day.at) })),
    falls: rest.falls.map(({ depth, from, troughAt, recoveredAt }) => ({
      depth,
      from: isoTime(from),
      troughAt: isoTime(troughAt),
      recoveredAt: recoveredAt === null ? null : isoTime(recoveredAt),
    })),
    moneyFall: { ...rest.moneyFall, from: isoTime(rest.moneyFall.from), troughAt: isoTime(rest.moneyFall.troughAt) },
    ruinedAt: rest.ruinedAt === null ? null : isoTime(rest.ruinedAt),
  };
}

/** Values that a curve has at most. */
const MAX_VALUES = 240;

/** Growth at equal distances of time, for scripts that draw it, and for comparisons: the capital at first, then times 1 + total return so far. */
function curveJson({ chart, capital, from, to }: Equity): unknown {
  const each = Math.max(1, Math.ceil(chart.length / MAX_VALUES));
  const kept = chart.filter((_, n) => (chart.length - 1 - n) % each === 0);
  const values = [capital, ...kept.map(({ last }) => Number(last.toPrecision(9)))];
  return { from: isoTime(from), stepMs: values.length > 1 ? (to - from) / (values.length - 1) : 0, values };
}
