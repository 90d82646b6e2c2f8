import { expect, test } from 'vitest';
import { CapitalByCurrency } from '#core/portfolio/capital.ts';
import { Marks } from '#core/portfolio/valuation.ts';
import { decimalOf } from '#domain/decimal.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import { currency, strategyId } from '#domain/names.ts';
import { BTC, quote } from '../../support/market-data.ts';

test('a drawdown is a share of the budgets of what the settings enable: given ones, and default ones from the first quote on', () => {
  const marks = new Marks(() => USUAL_FRESHNESS);
  const of = (id: string, enabled: boolean, usd: number | null) => ({
    strategy: strategyId(id),
    product: BTC,
    enabled,
    budget: usd === null ? null : new Map([['usd', decimalOf(usd)]]),
  });
  const capitals = [of('own', true, 1000), of('off', false, 9000), of('default', true, null), of('off-default', false, null)];
  const capital = new CapitalByCurrency({ capitals, defaultBudget: decimalOf(500), marks });
  expect(capital.of(currency('usd'))).toBe(1000);
  marks.add(quote({}), 0);
  expect(capital.of(currency('usd'))).toBe(1500);
});
