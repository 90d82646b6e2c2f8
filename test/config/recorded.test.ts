import { expect, test } from 'vitest';
import { recordedSettings } from '#config/recorded.ts';
import { amountOf } from '#domain/lane.ts';
import { configOf } from './support.ts';

test('settings that a run kept are read back with amounts as decimals, those of further inputs and rates too', () => {
  const { json } = configOf(`account: { rates: [{ product: usdchf, amount: { base: 1000 } }] }
strategies:
  - id: pair
    use: pair
    product: btcusd
    amount: { base: 0.01 }
    inputs: { hedge: { product: ethusd, amount: { quote: 500 } }, book: { product: btcusd } }
`);
  const { account, strategies } = recordedSettings('a', json);
  expect(account.rates).toEqual([{ product: 'usdchf', amount: amountOf({ base: '1000' }), origin: 'its recording: account.rates[0]' }]);
  expect(json).toContain('"rates":[{"amount":{"base":"1000"},"product":"usdchf"}]');
  const { rates: _, ...earlier } = JSON.parse(json).account;
  expect(recordedSettings('a', JSON.stringify({ ...JSON.parse(json), account: earlier })).account.rates, 'an earlier version').toEqual([]);
  const [entry] = strategies;
  expect(entry?.amount).toEqual(amountOf({ base: '0.01' }));
  expect(entry?.inputs).toEqual({
    hedge: { product: 'ethusd', amount: amountOf({ quote: '500' }) },
    book: { product: 'btcusd', amount: null },
  });
});
