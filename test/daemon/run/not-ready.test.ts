import { expect, test } from 'vitest';
import { buy, strategy } from '#core/strategy/index.ts';
import { notReady } from '#daemon/run/not-ready.ts';
import { productCode } from '#domain/names.ts';
import { configOf, strategyYaml } from '../../config/support.ts';
import { rigsOfTests } from '../../support/rigs.ts';

const rig = rigsOfTests();

const condition = () => ({ phase: 'running', journalBusy: false, settings: configOf(strategyYaml()).settings }) as const;

test('a lane that is lent for one order does not make the daemon unready, and a standing lane that is silent does', () => {
  const odd = strategy({ name: 'odd', signals: ({ quotes$ }) => quotes$, decide: () => buy({ base: '0.007' }, 'odd') });
  const r = rig({ strategies: { s: odd }, reserve: 1 });
  r.price();
  const seen = r.engine.snapshot(r.clock.now());
  expect(seen.lanes.filter(({ untradable }) => untradable !== null)).toHaveLength(1);
  expect(r.lent).toHaveLength(1);
  expect(notReady(seen, condition())).toEqual([]);
  r.moveBy(60_000);
  const later = notReady(r.engine.snapshot(r.clock.now()), condition());
  expect(later.filter((reason) => reason.startsWith('lane '))).toEqual(['lane btcusd@base:0.01: LANE_STALE']);
});

test('the lane of a strategy that the settings leave out does not make the daemon unready, unless it holds something', () => {
  const r = rig({ strategies: { s: strategy({ name: 'calm', signals: ({ quotes$ }) => quotes$, decide: () => undefined }) } });
  r.moveBy(60_000);
  const seen = r.engine.snapshot(r.clock.now());
  const { settings } = condition();
  const leftOut = { ...settings, strategies: settings.strategies.map((one) => ({ ...one, enabled: false })) };
  const lanesIn = (reasons: readonly string[]) => reasons.filter((reason) => reason.startsWith('lane '));
  expect(lanesIn(notReady(seen, condition()))).toHaveLength(1);
  expect(lanesIn(notReady(seen, { ...condition(), settings: leftOut }))).toEqual([]);
  const [one] = seen.strategies;
  const [entry] = leftOut.strategies;
  if (!one || !entry) throw new Error('there is a strategy');
  const held = { ...one, id: entry.id, position: '0', low: '0', high: '0.01' };
  // What a leg holds stands in another book.
  for (const holding of [
    { ...seen, strategies: [held] },
    { ...seen, otherBooks: [held] },
  ])
    expect(lanesIn(notReady(holding, { ...condition(), settings: leftOut }))).toHaveLength(1);
});

test('it is not ready while nothing can open: REDUCING, and a product that an unknown outcome freezes', () => {
  const hold = strategy({ name: 'hold', signals: ({ quotes$ }) => quotes$, decide: () => buy({ base: '0.01' }, 'hold') });
  const r = rig({ strategies: { s: hold } });
  r.price();
  const now = r.engine.snapshot(r.clock.now());
  expect(notReady({ ...now, trading: 'REDUCING' }, condition())).toEqual(['trading is reducing: only exits pass']);
  const order = { order: '9-1', strategy: 's', product: productCode('btcusd'), side: 'buy', size: '1', price: '1', since: '' };
  expect(notReady({ ...now, orders: [{ ...order, state: 'sent' }] }, condition())).toEqual([]);
  expect(notReady({ ...now, orders: [{ ...order, state: 'unknown' }] }, condition())).toEqual([
    'trading is frozen in btcusd: the outcome of order 9-1 is unknown',
  ]);
  // What helps stands first: after `resume` alone the product stays frozen.
  expect(notReady({ ...now, trading: 'REDUCING', orders: [{ ...order, state: 'unknown' }] }, condition())).toEqual([
    'trading is frozen in btcusd: the outcome of order 9-1 is unknown',
    'trading is reducing: only exits pass',
  ]);
});

test.each([
  [{ phase: 'stopping' as const }, 'the daemon is stopping'],
  [{ journalBusy: true }, 'the journal is held by another program'],
])('%o is why it is not ready', (more, reason) => {
  const r = rig({ strategies: {} });
  expect(notReady(r.engine.snapshot(r.clock.now()), { ...condition(), ...more })).toContain(reason);
});
