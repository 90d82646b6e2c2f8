import type { TradingQuoteMessage } from '#adapters/service-client/quotes/messages.ts';

const SIDE = { price: 50_000, size: 0.1, value: 5000, feeInBaseCcy: 0.0001, feeInQuoteCcy: 5, slippage: 0, slippagePercentage: 0 };

/** A trading quote as the service sends it. */
export const TQ: TradingQuoteMessage = {
  msgType: 'TQ',
  id: '5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11',
  productCode: 'btcusd',
  baseCcy: 'btc',
  quoteCcy: 'usd',
  buyQuote: { ...SIDE, price: 50_010, value: 5001 },
  sellQuote: SIDE,
  avgQuote: { size: 0.1, value: 5000.5, feeInBaseCcy: 0.0001, feeInQuoteCcy: 5 },
  feePercentage: 0.1,
  spread: 10,
  spreadPercentage: 0.02,
  dailyChangePercentage: -1.5,
  validUntil: '2026-01-01T00:00:03.123Z',
};

/** The same with fields replaced; undefined takes a field away. */
export function tq(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...TQ, ...changes });
}

export function ack(query: Readonly<Record<string, unknown>> = {}): string {
  const asked = { quoteType: 'TRADING', productCode: 'btcusd', inputSize: 0.1, inputValue: null };
  return JSON.stringify({ msgType: 'ACK', userId: 1205, query: { ...asked, ...query }, config: { any: 'thing' } });
}

export const err = (errorMsg = 'no such product'): string => JSON.stringify({ msgType: 'ERR', errorMsg });
