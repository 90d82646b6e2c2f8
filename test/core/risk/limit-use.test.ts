import { describe, expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import { currency } from '#domain/names.ts';
import { usd } from '../../support/limits.ts';
import { monitored, T } from './monitored.ts';

describe('of each limit it is told how much is used', () => {
  const usesOf = (m: ReturnType<typeof monitored>, now = T + 1000) =>
    m.monitor.measures(now).limits.map(({ name, scope, used, limit, unit }) => `${name} ${scope} ${used}/${limit} ${unit}`);

  test('a limit that is off is not listed', () => {
    expect(usesOf(monitored())).toEqual([]);
  });

  test('a currency that nothing is traded in is left out of a map of limits, but not the account’s own', () => {
    const both = new Map([
      [currency('usd'), decimalOf(1000)],
      [currency('eur'), decimalOf(900)],
    ]);
    const m = monitored({ maxTotalValue: both, maxStrategyValue: both, maxDayLoss: both });
    expect(usesOf(m)).toEqual([
      'risk.maxDayLoss all 0/1000 usd',
      'risk.maxTotalValue all 0/1000 usd',
      'risk.maxStrategyValue s 0/1000 usd',
    ]);
  });

  test('a position counts at the price of now, a day’s loss since its start, a profit as none', () => {
    const m = monitored({ maxDayLoss: usd(1000), maxPositionValue: usd(9000), maxDayValue: usd(20_000) });
    m.ordered({ size: '0.1' });
    m.quoted(59_000, T + 500);
    expect(usesOf(m)).toEqual([
      'risk.maxDayLoss all 100/1000 usd',
      'risk.maxDayValue all 6000/20000 usd',
      'risk.maxPositionValue btcusd 5900/9000 usd',
    ]);
    m.quoted(61_000, T + 1000);
    expect(usesOf(m)[0]).toBe('risk.maxDayLoss all 0/1000 usd');
  });

  test('a loss counts in its own figure of several, and a drawdown in percent', () => {
    const both = new Map([
      [currency('eur'), decimalOf(900)],
      [currency('usd'), decimalOf(1000)],
    ]);
    const m = monitored({ maxDayLoss: both, maxDrawdownPct: 10, maxPositionValue: usd(9000) });
    expect(usesOf(m)).toEqual([
      'risk.maxDayLoss all 0/1000 usd',
      'risk.maxDrawdownPct all 0/10 %',
      'risk.maxPositionValue btcusd 0/9000 usd',
    ]);
    m.ordered({ size: '0.1' });
    m.quoted(59_000, T + 500);
    expect(usesOf(m)).toEqual([
      'risk.maxDayLoss all 100/1000 usd',
      'risk.maxDrawdownPct all 1/10 %',
      'risk.maxPositionValue btcusd 5900/9000 usd',
    ]);
  });

  test('counts are of all, of each strategy and of each product', () => {
    const m = monitored({
      ...{ maxOrdersPerMinute: 9, maxOrdersPerMinuteOfStrategy: 8, maxOrdersPerMinuteOfProduct: 7 },
      ...{ maxRejectionStreak: 5, maxUnknown: 2 },
    });
    m.ordered({ size: '0.1' }, 'rejected');
    m.ordered({ size: '0.1' }, 'unknown');
    expect(usesOf(m)).toEqual([
      'risk.maxOrdersPerMinute all 2/9 orders',
      'risk.maxOrdersPerMinuteOfStrategy s 2/8 orders',
      'risk.maxOrdersPerMinuteOfProduct btcusd 2/7 orders',
      'risk.maxUnknown all 1/2 unknown orders',
      'risk.maxRejectionStreak all 1/5 rejections in a row',
    ]);
  });
});
