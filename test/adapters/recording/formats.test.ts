import { expect, test } from 'vitest';
import { FORMATS } from '#adapters/recording/import/formats.ts';
import type { ColumnMap } from '#adapters/recording/import/row.ts';
import { fromZone } from '#core/schedule/local-time.ts';
import { decimalOf } from '#domain/decimal.ts';
import { imported } from './imported-bars.ts';

type Quote = readonly [time: string, bid: number, ask: number];

/** Bars that begin at 14:30 and 14:31 UTC are known a minute later. */
const bars = (first: number, second: number, over = 0): readonly Quote[] => [
  ['2024-03-01T14:31:00.000Z', first, Number((first + over).toFixed(5))],
  ['2024-03-01T14:32:00.000Z', second, Number((second + over).toFixed(5))],
];
const ticks = (first: readonly [number, number], second: readonly [number, number], ms = ['552', '001']): readonly Quote[] => [
  [`2024-03-01T14:30:03.${ms[0]}Z`, ...first],
  [`2024-03-01T14:30:07.${ms[1]}Z`, ...second],
];
const WHOLE_SECONDS = ['000', '000'];
const EUR = bars(1.08053, 1.08067);
const STOCK = bars(180.53, 180.67);
const COIN = bars(61020.5, 61033.3);
const EUR_TICKS = ticks([1.08248, 1.08256], [1.08246, 1.08251]);
const STOCK_TICKS = ticks([180.52, 180.54], [180.53, 180.54]);
const COIN_TICKS = ticks([61010.1, 61010.2], [61010, 61010.2]);
const DAYS = ['2024-03-02T00:00:00.000Z', '2024-03-03T00:00:00.000Z'] as const;

/** What each example says, read by eye: the first word of its maker, with as many more as it takes to know it. */
const SAYS: readonly (readonly [of: string, quotes: readonly Quote[]])[] = [
  ['HistData, minutes', EUR],
  ['HistData, ticks (ASCII)', EUR_TICKS],
  ['HistData, ticks of one side', ticks([1.08248, 1.08248], [1.08246, 1.08246], WHOLE_SECONDS)],
  ['NinjaTrader', EUR_TICKS],
  ['TrueFX', EUR_TICKS],
  ['Kibot', ticks([180.52, 180.54], [180.53, 180.54], WHOLE_SECONDS)],
  ['MetaTrader 4', EUR],
  ['Kraken, OHLCVT', COIN],
  ['Bybit', COIN],
  ['OKX', COIN],
  ['Binance, klines', COIN],
  ['Binance, trades', ticks([61010.1, 61010.1], [61010, 61010])],
  ['Binance, aggTrades', ticks([61010.1, 61010.1], [61010, 61010])],
  ['FirstRate', STOCK],
  ['Coinbase, candles', COIN],
  ['Gate.io', COIN],
  ['ticks without', EUR_TICKS],
  ['Kraken, trades', ticks([61010.1, 61010.1], [61010, 61010], WHOLE_SECONDS)],
  ['Dukascopy, ticks', EUR_TICKS],
  ['Dukascopy, bars', EUR],
  ['Dukascopy JForex', EUR],
  [
    'MetaTrader 5, bars',
    [
      ['2024-03-01T14:31:00.000Z', 1.08053, 1.08065],
      ['2024-03-01T14:32:00.000Z', 1.08067, 1.08076],
    ],
  ],
  ['MetaTrader 5, ticks', ticks([1.08248, 1.08256], [1.08246, 1.08256])],
  ['Databento, OHLCV', STOCK],
  ['Databento, MBP-1', STOCK_TICKS],
  [
    'Yahoo',
    [
      [DAYS[0], 179.66, 179.66],
      [DAYS[1], 179, 179],
    ],
  ],
  ['yfinance', STOCK],
  ['TradingView', STOCK],
  ['CryptoDataDownload', COIN],
  ['Alpha Vantage', STOCK],
  ['Polygon (Massive), minute', STOCK],
  ['Polygon (Massive), quote', STOCK_TICKS],
  [
    'Stooq',
    [
      ['2024-03-01T14:35:00.000Z', 1.08053, 1.08053],
      ['2024-03-01T14:40:00.000Z', 1.08067, 1.08067],
    ],
  ],
  ['Finam', STOCK],
  ['Interactive Brokers', STOCK],
  [
    'Investing.com',
    [
      [DAYS[0], 61020.5, 61020.5],
      [DAYS[1], 61033.3, 61033.3],
    ],
  ],
  [
    'Nasdaq',
    [
      [DAYS[0], 179.66, 179.66],
      [DAYS[1], 179, 179],
    ],
  ],
  [
    'CoinMarketCap',
    [
      [DAYS[0], 61020.5, 61020.5],
      [DAYS[1], 61033.3, 61033.3],
    ],
  ],
  ['TradeStation', STOCK],
  ['candles that Kairos', bars(1.08053, 1.08067, 0.00007)],
  ['OANDA', EUR],
  ['cTrader', EUR_TICKS],
  ['Gain', EUR_TICKS],
  ['Tiingo', EUR_TICKS],
  ['Binance, bookTicker', COIN_TICKS],
  ['Tardis', COIN_TICKS],
  ['BitMEX', COIN_TICKS],
  ['Coinbase, trades', ticks([61010.1, 61010.1], [61010, 61010])],
  ['NYSE', STOCK_TICKS],
  ['LSEG', EUR_TICKS],
];

test('candles that Kairos exports have the titles of its export', () => {
  const { example } = FORMATS.find(({ of }) => of.startsWith('candles that Kairos')) ?? { example: [] };
  expect(example[0]).toBe('product,lane,ts_ms_open,bid_open,bid_high,bid_low,bid_close,ask_open,ask_high,ask_low,ask_close,quotes');
});

/** The options of an example, as `data import` takes them. */
function mapOf(options = ''): Partial<ColumnMap> {
  const said = new Map([...options.matchAll(/--(\S+) (\S+)/g)].map(([, name = '', value = '']) => [name, value]));
  const [zone, point, dates, priceIs] = ['zone', 'point', 'dates', 'price-is'].map((name) => said.get(name));
  return {
    ...(zone !== undefined && { zone, toUtc: fromZone(zone) }),
    ...(point !== undefined && { point: decimalOf(point) }),
    ...(dates !== undefined && { dates: dates === 'dmy' ? 'dmy' : 'mdy' }),
    ...(priceIs === 'bid' && { priceIs }),
    zones: fromZone,
  };
}

test.each(FORMATS.map((format) => [format.of, format] as const))('%s', async (of, { example, options }) => {
  const [[, quotes] = ['', []], ...others] = SAYS.filter(([maker]) => of.startsWith(maker));
  expect(others).toEqual([]);
  const map = mapOf(options);
  const isAlone = !/bid.*ask|ask.*bid/i.test(example[0] ?? '') && quotes.every(([, bid, ask]) => bid === ask);
  const { played } = await imported(`${example.join('\n')}\n`, { map, spreadBps: isAlone ? 0 : undefined });
  expect(played.map(([at, bid, ask]) => [new Date(at).toISOString(), bid, ask])).toEqual(quotes);
});
