import { onTestFinished } from 'vitest';
import { WireBroker } from '#adapters/service-client/orders/broker.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currency, laneIdOf, productCode, quoteId } from '#domain/names.ts';
import { MatchingBroker } from '#paper-venue/core/matching-broker.ts';
import { Reports, TestGate } from '../adapters/service-client/support/orders.ts';
import { serviceSettings } from '../adapters/service-client/support/service-settings.ts';
import { until } from '../adapters/service-client/support/until.ts';
import { FeedClient, firstQuote, rig } from '../paper-venue/venue-rig.ts';
import { quoteWith } from '../support/quotes.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { brokerContract } from './broker.ts';

brokerContract('the service, over the wire', async () => {
  const { venue, timers } = await rig();
  const gate = new TestGate(timers);
  const reports = new Reports();
  const broker = new WireBroker({ baseUrl: venue.url, service: serviceSettings(), gate, timers, warmSockets: 1 });
  onTestFinished(async () => {
    const closed = broker.close(0);
    timers.advance(1);
    await closed;
  });
  broker.connect(reports.sink);
  await until(() => broker.ready > 0, 'a connection is warm');
  return {
    broker,
    reports,
    gate,
    timers,
    async quote() {
      const feed = await new FeedClient(venue).open();
      const { id, productCode: product, buyQuote, sellQuote, validUntil } = await firstQuote(feed);
      const times = { validUntil: Date.parse(validUntil), lane: laneIdOf('btcusd@base:0.01'), epoch: 1 };
      return {
        ...quoteWith({ id, product, buy: buyQuote, sell: sellQuote }),
        ...times,
        id: quoteId(id),
      };
    },
    balance: (name) => venue.balances('1205')[name] ?? '0',
  };
});

brokerContract('the matching core, in process', async () => {
  const timers = new VirtualTimers();
  const gate = new TestGate(timers);
  const reports = new Reports();
  const broker = new MatchingBroker({
    timers,
    gate,
    latency: () => ({ thereMs: 10, backMs: 10 }),
    feeIn: 'quote',
    balances: new Map([
      ['btc', decimalOf(1)],
      ['usd', decimalOf(100_000)],
    ]),
  });
  onTestFinished(async () => {
    const closed = broker.close(0);
    timers.advance(1);
    await closed;
  });
  broker.connect(reports.sink);
  return {
    broker,
    reports,
    gate,
    timers,
    async quote() {
      const fresh = { ...quoteWith({ validUntil: timers.wallMs() + 3000 }), product: productCode('btcusd'), baseCcy: currency('btc') };
      broker.quoted(fresh);
      return fresh;
    },
    balance: (name) => String(broker.balances.get(name) ?? '0'),
  };
});
