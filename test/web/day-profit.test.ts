import { expect, test } from 'vitest';
import { daysIn } from '../../web/words/day-profit.ts';

const day = (of: string, currency: string, profit: number, trades = 1) => ({ day: of, currency, profit, trades, won: profit > 0 ? 1 : 0 });
const made = (currency: string, rate: number | null) => ({ currency, rate, profit: 0, profitOfDay: 0 });
const DAYS = [day('11-24', 'usd', -400), day('11-24', 'sek', -1000, 3), day('11-25', 'sek', 50)];

test('the bars of days have what was closed in every currency, in that of the account, so that a day shows what it lost', () => {
  expect(daysIn(DAYS, { currency: 'eur', made: [made('usd', 0.9), made('sek', 0.1)] })).toEqual({
    currency: 'eur',
    days: [day('11-24', 'eur', -460, 4), { ...day('11-25', 'eur', 5), won: 1 }],
    others: [],
  });
});

test('a currency without a rate is named; where none has one, that of the most round trips is drawn', () => {
  expect(daysIn(DAYS, { currency: 'eur', made: [made('usd', 0.9), made('sek', null)] })).toMatchObject({
    currency: 'eur',
    days: [{ day: '11-24', profit: -360 }],
    others: ['sek'],
  });
  expect(daysIn(DAYS, { currency: 'eur', made: [] })).toEqual({ currency: 'sek', days: DAYS.slice(1), others: ['usd'] });
  expect(daysIn([], { currency: 'eur', made: [] })).toEqual({ currency: 'eur', days: [], others: [] });
});
