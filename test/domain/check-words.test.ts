import { describe, expect, test } from 'vitest';
import { checkWords, reasonWords, refusalWords } from '#domain/check-words.ts';
import { REASONS, type Reason } from '#domain/reasons.ts';

/** A code, or what a flag compares: neither is for people. */
const NO_SENTENCE = /\b[A-Z]+_[A-Z_]+\b|\byes\b|\bunusable\b|\bnull\b|\bundefined\b| against /;

describe('whatever keeps an order back is told in a plain sentence, without its code', () => {
  test.each(Object.keys(REASONS) as Reason[])('%s', (check) => {
    for (const passed of [true, false]) {
      const told = checkWords({ check, passed, figure: 12, limit: 10 });
      expect(told).not.toMatch(NO_SENTENCE);
      expect(told.split(' ').length).toBeGreaterThan(2);
    }
    expect(checkWords({ check, passed: false, figure: 'why', limit: null })).not.toMatch(NO_SENTENCE);
    expect(refusalWords(check, [])).not.toMatch(NO_SENTENCE);
  });
});

/** What the words must have in them: figures, limits and units; how they are joined is free. */
test.each<[Reason, string | number, string | number | null, readonly string[]]>([
  ['QUOTE_TAKEN', 'yes', 'no', [REASONS.QUOTE_TAKEN]],
  ['LANE_DOWN', 'unusable', null, [REASONS.LANE_DOWN]],
  ['REDUCING', 'lost 500 usd since the day began', 'ACTIVE', ['exits', 'lost 500 usd since the day began']],
  ['OUTSIDE_WINDOW', 'closed on 2026-12-25', 'open', ['closed on 2026-12-25']],
  ['CLOCK_UNSURE', 'unknown', 1500, ['not known']],
  ['CLOCK_UNSURE', 1900, 1500, ['± 1900 ms', '± 1500 ms']],
  ['MAX_SPREAD', 0.3100000001234, 0.2, ['spread', '0.3100000001 %', '0.2 %']],
  ['DUST', 'at least 0.0001', '0.00005 of 0.00005 held', ['0.00005 of 0.00005 held', 'at least 0.0001']],
  ['SIZE_LIMITS', 'at least 0.1', '0.05 of 0.5 held', ['0.05 of 0.5 held', 'at least 0.1']],
  ['SIZE_LIMITS', '0.0005', 'minSize 0.001', ['0.0005', 'minSize 0.001']],
  ['NO_POSITION', '0', '50 % of the position', ['50 % of the position', '0 is held']],
  ['MAX_ORDERS_PER_MINUTE', 61, 60, ['60 of 60 orders a minute used']],
  ['NO_RATE', '600 sek', 'usd, eur', ['600 sek', 'usd, eur']],
  ['SERVICE_WAIT', '900 ms to wait', 0, ['service', '900 ms to wait']],
])('%s with %s and %s', (check, figure, limit, facts) => {
  const told = checkWords({ check, passed: false, figure, limit });
  expect(facts.filter((fact) => !told.includes(fact))).toEqual([]);
});

test.each<[Reason, readonly string[]]>([
  ['MAX_ORDER_VALUE', ['at most 30 usd (risk.maxOrderValue)']],
  ['MAX_POSITION_VALUE', ['(risk.maxPositionValue)']],
  ['MAX_EXIT_VALUE', ['risk.maxExitValue', 'three times risk.maxPositionValue unless set']],
  ['MAX_STRATEGY_VALUE', ['(risk.maxStrategyValue)']],
  ['MAX_TOTAL_VALUE', ['(risk.maxTotalValue)']],
  ['MAX_DAY_VALUE', ['(risk.maxDayValue)']],
])('%s names the setting that its limit comes from', (check, settings) => {
  const told = checkWords({ check, passed: true, figure: 10, limit: 30, currency: 'usd' });
  expect(settings.filter((setting) => !told.includes(setting))).toEqual([]);
});

test('a share that passed is told to four digits', () => {
  const share = (check: Reason): string => checkWords({ check, passed: true, figure: 0.014519993, limit: 3 });
  expect(share('COLLAR')).toMatch(/^price 0\.01452 % from the median/);
  expect(share('MAX_SLIPPAGE')).toMatch(/^slippage 0\.01452 %, at most 3 %/);
});

test('a refusal tells each check that said no, and of none what its code means', () => {
  const passed = { check: 'TIME_LEFT', passed: true, figure: 2900, limit: 250 } as const;
  const failed = { check: 'MAX_FEE', passed: false, figure: 0.4, limit: 0.3 } as const;
  expect(refusalWords('MAX_FEE', [passed, failed])).toBe('fee 0.4 % over 0.3 %');
  expect(refusalWords('JOURNAL_BUSY', [passed])).toBe(REASONS.JOURNAL_BUSY);
  expect(reasonWords('DUST')).toBe(REASONS.DUST);
  expect(reasonWords('expired')).toBe('expired');
  expect(refusalWords('FROM_LATER', [])).toBe('a reason that this version does not know');
});
