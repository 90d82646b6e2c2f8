import { expect, test } from 'vitest';
import type { SubscriptionEcho } from '#adapters/service-client/quotes/messages.ts';
import { echoText, laneSubscription, subscriptionOf } from '#adapters/service-client/quotes/subscription.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';

const base = laneSubscription(laneFor(productCode('btcusd'), amountOf({ base: '0.10' })), 'BTC/USD');
const quote = laneSubscription(laneFor(productCode('btcusd'), amountOf({ quote: 250 })));
const shown = subscriptionOf('BASIC', 'btcusd', null);

test('2.7 each kind is asked for with its own amount as a plain number, or with none', () => {
  expect(base).toMatchObject({
    text: '{"quoteType":"TRADING","productCode":"BTC/USD","inputSize":0.1}',
    title: 'TRADING BTC/USD base:0.1',
  });
  expect(quote).toMatchObject({
    text: '{"quoteType":"TRADING","productCode":"btcusd","inputValue":250}',
    title: 'TRADING btcusd quote:250',
  });
  expect(shown).toMatchObject({ text: '{"quoteType":"BASIC","productCode":"btcusd"}', title: 'BASIC btcusd' });
});

const btc = { quoteType: 'TRADING', productCode: 'btcusd' };

test.each<[subscription: 'base' | 'quote' | 'shown', echo: SubscriptionEcho, isOurs: boolean]>([
  ['base', { ...btc, productCode: 'btc/usd', inputSize: 0.1 }, true],
  ['base', { quoteType: 'trading', productCode: 'BTC/usd', inputSize: 0.1, inputValue: 0 }, true],
  ['base', { ...btc, productCode: 'btc/usd', inputSize: 0.1, inputValue: null }, true],
  ['base', { ...btc, productCode: 'btc/usd', inputSize: 0.2 }, false],
  ['base', { ...btc, productCode: 'btc/usd', inputSize: 0.1, inputValue: 250 }, false],
  ['base', { ...btc, productCode: 'btc/usd', inputValue: 0.1 }, false],
  ['base', { ...btc, productCode: 'btc/usd' }, false],
  ['base', { ...btc, productCode: 'btc/eur', inputSize: 0.1 }, false],
  ['base', { ...btc, productCode: null, inputSize: 0.1 }, false],
  ['base', { quoteType: 'BASIC', productCode: 'btc/usd', inputSize: 0.1 }, false],
  ['quote', { ...btc, inputValue: 250 }, true],
  ['quote', { ...btc, inputSize: 0, inputValue: 250 }, true],
  ['quote', { ...btc, inputSize: 0.1, inputValue: 250 }, false],
  ['quote', { ...btc, inputValue: 251 }, false],
  ['quote', { ...btc, inputSize: 250 }, false],
  ['quote', btc, false],
  ['shown', { quoteType: 'BASIC', productCode: 'BTCUSD', inputSize: 0, inputValue: null }, true],
  ['shown', { quoteType: 'BASIC', productCode: 'BTCUSD', inputSize: 0.1 }, false],
  ['shown', { quoteType: 'BASIC', productCode: 'BTCUSD', inputValue: 250 }, false],
])('2.8 %s: quotes of another size or product would be traded as ours if %j were taken for its echo: %s', (of, echo, isOurs) => {
  expect({ base, quote, shown }[of].matches(echo)).toBe(isOurs);
});

test('an echo is told with what it has', () => {
  expect(echoText({ ...btc, inputSize: 0.1, inputValue: 0 })).toBe('TRADING btcusd base:0.1');
  expect(echoText({ ...btc, inputSize: null, inputValue: 250 })).toBe('TRADING btcusd quote:250');
  expect(echoText({ quoteType: 'BASIC', productCode: null })).toBe('BASIC all products');
});
