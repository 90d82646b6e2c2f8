import { Books, reduces } from '#core/portfolio/books.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import type { Limits } from '#core/risk/limits.ts';
import { type MonitoredLane, RiskMonitor } from '#core/risk/risk-monitor.ts';
import { TradingState } from '#core/risk/trading-state.ts';
import { decimalOf } from '#domain/decimal.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import { fillAsQuoted } from '#domain/order.ts';
import type { Quote } from '#domain/quote.ts';
import { Journaled } from '../../support/journaled.ts';
import { NO_LIMITS } from '../../support/limits.ts';
import { BTC, quote } from '../../support/market-data.ts';
import { inState, type OrderParts, OWNER } from '../../support/orders.ts';

/** When the first quote comes, at 60,000. */
export const T = 1_000_000;
/** A monitor of one strategy in btcusd with a capital of 10,000 usd, and an account of 50,000. */
export function monitored(given: Partial<Limits> = {}, rearmAfterMs: number | null = null, alongside: () => readonly Quote[] = () => []) {
  const rows = new Journaled();
  const books = new Books();
  const state = new TradingState({
    log: rows.log,
    latch: new HaltLatch(),
    arming: { arm: 'manual', rearmAfterMs, crashHalt: null },
    tell() {},
  });
  const monitor = new RiskMonitor({
    limits: { ...NO_LIMITS, ...given },
    alongside,
    freshnessOf: () => USUAL_FRESHNESS,
    ...{ log: rows.log, state, books, watched: new Set([BTC]) },
    capitals: [{ strategy: OWNER, product: BTC, enabled: true, budget: null }],
    defaultBudget: decimalOf(10_000),
    accountCurrency: 'usd',
    account: {
      isWhole: false,
      balances: new Map([
        ['usd', decimalOf(50_000)],
        ['btc', decimalOf(1)],
      ]),
    },
  });
  const lane: MonitoredLane = {};
  let n = 0;
  const at = (now: number) => rows.at(now);
  const made = {
    ...{ rows, books, state, monitor, lane, at },
    quoted(price: number, now: number) {
      at(now);
      monitor.quoted(quote({ buy: price, sell: price, validUntil: now + 3000 }), now, lane);
    },
    /** An order that is executed as it was quoted, or comes to another end. */
    ordered(parts: OrderParts, end: 'accepted' | 'rejected' | 'expired' | 'unknown' = 'accepted') {
      n += 1;
      const id = `${n}-1`;
      const order = inState(end, { id, at: rows.log.now, ...parts });
      books.track(inState('intent', { id, at: rows.log.now, ...parts }));
      monitor.committed(order, reduces(books.interval(order.strategy, order.product), order.side, order.figures.size));
      if (end === 'accepted') {
        const fill = fillAsQuoted(order);
        monitor.losses.filling(order.strategy, monitor.books.book(order.strategy, order.product), { fill, at: rows.log.now });
        books.apply(order.strategy, order.product, fill, rows.log.now);
        monitor.filled(order, fill);
      }
      books.track(order);
      monitor.settled(order, rows.log.now);
      return order;
    },
    measured: () => rows.deferred.filter(({ kind }) => kind === 'measured').map(({ at: when, detail }) => ({ at: when, detail })),
  };
  made.quoted(60_000, T);
  return made;
}
