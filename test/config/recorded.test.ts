import { expect, test } from 'vitest';
import { recordedSettings } from '#config/recorded.ts';
import { amountOf } from '#domain/lane.ts';
import { configOf } from './support.ts';

test('settings that a run kept are read back with amounts as decimals, those of further inputs too', () => {
  const { json } = configOf(`strategies:
  - id: pair
    use: pair
    product: btcusd
    amount: { base: 0.01 }
    inputs: { hedge: { product: ethusd, amount: { quote: 500 } }, book: { product: btcusd } }
`);
  const [entry] = recordedSettings('a', json).strategies;
  expect(entry?.amount).toEqual(amountOf({ base: '0.01' }));
  expect(entry?.inputs).toEqual({
    hedge: { product: 'ethusd', amount: amountOf({ quote: '500' }) },
    book: { product: 'btcusd', amount: null },
  });
});
