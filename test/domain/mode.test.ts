import { expect, test } from 'vitest';
import { isBacktest, type Mode, modeFacts, modeFactsNamed } from '#domain/mode.ts';

test('only live spends real money, a dry run sends no order, and neither is a place for trials', () => {
  const modes: readonly Mode[] = ['paper', 'dry', 'live'];
  const those = (is: 'sendsOrders' | 'isRealMoney' | 'isForTrials') => modes.filter((mode) => modeFacts(mode)[is]);
  expect([those('isRealMoney'), those('sendsOrders'), those('isForTrials')]).toEqual([['live'], ['paper', 'live'], ['paper']]);
  // No line of a dry run's log may be taken for real trading.
  expect(modes.map((mode) => modeFacts(mode).logPrefix)).toEqual(['', 'DRY: ', '']);
});

test('a mode is known by its name, and that of a backtest is none', () => {
  expect([modeFactsNamed('live'), modeFactsNamed('backtest'), modeFactsNamed(null), modeFactsNamed('toString')]).toEqual([
    modeFacts('live'),
    ...[undefined, undefined, undefined],
  ]);
});

test('of all that a journal may have as a mode, a backtest is that alone', () => {
  expect(['backtest', 'paper', 'live', '', null, undefined].map(isBacktest)).toEqual([true, false, false, false, false, false]);
});
