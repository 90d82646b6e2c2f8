import { expect, test } from 'vitest';
import type { Limits } from '#core/risk/limits.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Reason } from '#domain/reasons.ts';
import { NO_LIMITS, usd } from '../../support/limits.ts';
import { amounts, assess, type Case, limits, long } from './assess.ts';

const only = (of: Partial<Limits>): Limits => ({ ...NO_LIMITS, ...of });
const bounds = (low: string, high: string) => ({ low: decimalOf(low), high: decimalOf(high) });
/** Rates that there are: a euro is 1.1 dollars, a dollar 10 kronor. */
const rate = (from: string, to: string) => {
  if (from === 'eur' && to === 'usd') return decimalOf('1.1');
  return from === 'usd' && to === 'sek' ? decimalOf(10) : undefined;
};
const short: Case = { side: 'sell', canShort: true };

const verdictOf = (given: Case): Reason | null => {
  const assessed = assess(given);
  return assessed.approved ? null : assessed.reason;
};

/** What it is about, the case, and by what it is refused (null: approved). */
const cases: readonly [string, Case, Reason | null][] = [
  ['a sale costs nothing of a budget', { ...short, budgetLeft: decimalOf(0) }, null],
  ['a sale costs nothing of an account', { ...short, figures: { funds: () => decimalOf(0) } }, null],
  ['a backtest without funds spends what it likes', { limits: { ...limits, spending: 'unlimited' }, budgetLeft: decimalOf(0) }, null],
  [
    'a backtest without funds has no account',
    { limits: { ...limits, spending: 'unlimited' }, figures: { funds: () => decimalOf(0) } },
    null,
  ],
  ['a fee in base currency is not taken from the budget', { budgetLeft: decimalOf(600), feeCcy: 'btc' }, null],
  ['a fee in base currency is not taken from the account', { figures: { funds: () => decimalOf(600) }, feeCcy: 'btc' }, null],
  ['a sale that ends flat is no short', { side: 'sell', interval: long('0.01') }, null],
  [
    'a sale counts at what is sold short in the worst case',
    { ...short, interval: bounds('-0.02', '0.01'), grossExposure: decimalOf('0.02'), limits: only({ maxPositionValue: usd(1800) }) },
    null,
  ],
  [
    'a sale beyond what may be sold short in the worst case',
    { ...short, interval: bounds('-0.02', '0.01'), grossExposure: decimalOf('0.02'), limits: only({ maxPositionValue: usd(1799) }) },
    'MAX_POSITION_VALUE',
  ],
  [
    'a purchase leaves the low end of what is held as it is',
    { interval: bounds('-0.02', '0'), grossExposure: decimalOf('0.02'), limits: only({ maxPositionValue: usd(1200) }) },
    null,
  ],
  [
    'a sale leaves the high end of what is held as it is',
    { ...short, interval: bounds('0', '0.02'), grossExposure: decimalOf('0.02'), limits: only({ maxPositionValue: usd(1200) }) },
    null,
  ],
  [
    "a strategy's sale counts at what it is short by then",
    { ...short, interval: bounds('-0.02', '0'), limits: only({ maxStrategyValue: usd(1799) }) },
    'MAX_STRATEGY_VALUE',
  ],
  [
    'the limit of its own currency counts, whatever rates there are',
    { figures: { rate }, limits: only({ maxOrderValue: new Map([['sek', decimalOf(600)], ...usd(600)]) }) },
    null,
  ],
  [
    'without a limit of its own an amount counts towards the first that there is a rate to',
    {
      figures: { rate },
      limits: only({
        maxOrderValue: new Map([
          ['eur', decimalOf(1)],
          ['sek', decimalOf(6000)],
        ]),
      }),
    },
    null,
  ],
  [
    'and is refused beyond that',
    {
      figures: { rate },
      limits: only({
        maxOrderValue: new Map([
          ['eur', decimalOf(1e9)],
          ['sek', decimalOf(5999)],
        ]),
      }),
    },
    'MAX_ORDER_VALUE',
  ],
  [
    'what counts towards another limit is not added up with it',
    {
      figures: { rate, dayValue: () => amounts('1000', 'sek') },
      limits: only({ maxDayValue: new Map([...usd(600), ['sek', decimalOf(1000)]]) }),
    },
    null,
  ],
  [
    'a currency of which nothing is left needs no rate',
    { figures: { dayValue: () => amounts('0', 'nok') }, limits: only({ maxDayValue: usd(600) }) },
    null,
  ],
  [
    'a currency of which something is left does',
    { figures: { dayValue: () => amounts('1', 'nok') }, limits: only({ maxDayValue: usd(1e6) }) },
    'NO_RATE',
  ],
];

test.each(cases)('%s', (_, given, reason) => {
  expect(verdictOf(given)).toBe(reason);
});

test('a refusal for want of a rate says the amount, and in which currencies there are limits', () => {
  const assessed = assess({ quoteCcy: 'nok', limits: only({ maxOrderValue: new Map([...usd(1), ['sek', decimalOf(1)]]) }) });
  expect(assessed.checks.at(-1)).toEqual({ check: 'NO_RATE', passed: false, figure: '600 nok', limit: 'usd, sek' });
});

test('an exit in a currency without a limit and a rate is worth what it is, and goes', () => {
  expect(verdictOf({ side: 'sell', interval: long('1'), quoteCcy: 'nok', limits: only({ maxExitValue: usd(1) }) })).toBeNull();
});

test('what an opening was held against is told with its figure, that of the day and of all together included', () => {
  const figures = {
    dayValue: () => amounts('100', 'eur'),
    strategyExposure: () => amounts('50'),
    totalExposure: () => amounts('75'),
    rate,
  };
  const assessed = assess({ figures, grossExposure: decimalOf('0.01') });
  const told = Object.fromEntries(assessed.checks.map(({ check, figure }) => [check, figure]));
  expect(assessed.approved).toBe(true);
  expect(told).toMatchObject({
    MAX_ORDER_VALUE: '600',
    MAX_DAY_VALUE: '710',
    MAX_POSITION_VALUE: '1200',
    MAX_STRATEGY_VALUE: '650',
    MAX_TOTAL_VALUE: '1275',
  });
});
