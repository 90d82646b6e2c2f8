import { expect, test } from 'vitest';
import { type Limits, limitsOf, OPENING_VALUE_LIMITS, UNLIMITED, withoutPace } from '#core/risk/limits.ts';
import type { RiskSettings } from '#domain/limits.ts';

test('limits are the settings by the names that checks read: off is none, values are exact, a group stands before its names', () => {
  const settings = {
    maxOrderValue: { byCurrency: { usd: '2000.5', sek: '20000' } },
    maxDayValue: 'off',
    maxSpreadPct: 0.5,
    reducing: { collarPct: 7, orderSharePct: 'off' },
  } as unknown as RiskSettings;
  const limits = limitsOf(settings);
  expect([...(limits.maxOrderValue ?? [])].map(([name, value]) => `${name} ${value}`)).toEqual(['sek 20000', 'usd 2000.5']);
  expect(limits).toMatchObject({ maxDayValue: null, maxSpreadPct: 0.5, reducingCollarPct: 7, reducingOrderSharePct: null });
  // A run of an earlier version has no such setting.
  expect(limits.maxTotalValue).toBeNull();
  expect(limits.spending).toBe('funded');
});

test('without limits everything is off that can be, in a backtest that asks for it', () => {
  const { spending, lossCooldown, ...others } = UNLIMITED;
  expect([spending, lossCooldown]).toEqual(['unlimited', 0]);
  expect(new Set(Object.values(others))).toEqual(new Set([null]));
  expect(Object.keys(others)).toEqual(expect.arrayContaining(['maxOrderValue', 'reducingCollarPct']));
});

test('openings are held against five limits on value', () => {
  expect([...OPENING_VALUE_LIMITS].sort()).toEqual([
    'maxDayValue',
    'maxOrderValue',
    'maxPositionValue',
    'maxStrategyValue',
    'maxTotalValue',
  ]);
});

test('without limits on pace those on how often orders come are off, and no other', () => {
  const all = Object.fromEntries(Object.keys(UNLIMITED).map((name) => [name, 1])) as unknown as Limits;
  const off = Object.entries(withoutPace(all)).flatMap(([name, value]) => (value === null ? [name] : value === 1 ? [] : expect.fail(name)));
  expect(off.sort()).toEqual([
    'duplicateWindowMs',
    'maxOrdersPerMinute',
    'maxOrdersPerMinuteOfProduct',
    'maxOrdersPerMinuteOfStrategy',
    'maxThrottledPerMinute',
  ]);
  expect(Object.keys(withoutPace(all))).toEqual(Object.keys(all));
});
