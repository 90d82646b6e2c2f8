import { expect, test } from 'vitest';
import { decimalOf } from '../../src/domain/decimal.ts';
import type { QuoteType } from '../../src/domain/lane.ts';
import { QuoteWatch } from '../../src/wire/quote-watch.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { FakeSockets } from './support/fake-sockets.ts';
import { tq } from './support/frames.ts';
import { serviceSettings } from './support/service-settings.ts';

function watch(quoteType: QuoteType, product = 'btcusd', amount: string | null = null) {
  const sockets = new FakeSockets();
  const seen: string[] = [];
  const timers = new VirtualTimers();
  const quotes = new QuoteWatch({
    baseUrl: 'http://127.0.0.1:8090',
    service: serviceSettings({ userId: null }),
    timers,
    quoteType,
    product,
    amount: amount === null ? null : { base: decimalOf(amount) },
    onTrading: (quote) => seen.push(`trading ${quote.buy.price}`),
    onBasic: (quote) => seen.push(`basic ${quote.price}`),
    onFull: (quote) => seen.push(`full ${quote.bids.length}`),
    sockets: sockets.open,
  });
  quotes.start();
  return { quotes, sockets, seen, timers };
}

test('4.5.4: basic, full and trading quotes can be looked at, each after its own ACK', () => {
  const basic = watch('BASIC');
  basic.sockets.last
    .open()
    .acknowledge({ quoteType: 'BASIC', inputSize: null })
    .say('{"msgType":"BQ","productCode":"btcusd","price":50000}');
  expect(basic.sockets.last.sent).toEqual(['{"quoteType":"BASIC","productCode":"btcusd"}']);
  expect(basic.seen).toEqual(['basic 50000']);
  const full = watch('FULL');
  full.sockets.last
    .open()
    .acknowledge({ quoteType: 'FULL', inputSize: null })
    .say('{"msgType":"FQ","productCode":"btcusd","bids":[],"asks":[]}');
  expect(full.seen).toEqual(['full 0']);
  const trading = watch('TRADING', 'btcusd', '0.1');
  trading.sockets.last
    .open()
    .acknowledge()
    .say(tq({ id: undefined }));
  expect(trading.seen).toEqual(['trading 50010']);
  for (const { quotes, timers } of [basic, full, trading]) {
    quotes.close();
    expect(timers.pending).toBe(0);
  }
});

test('B22 what cannot be subscribed to is said at once', () => {
  expect(() => watch('BASIC', '../btcusd')).toThrow(/product code/);
  expect(() => watch('TRADING')).toThrow(/size or value/);
  expect(() => watch('FULL', 'btcusd', '1')).toThrow(/take none/);
});
