import { randomUUID } from 'node:crypto';
import { Figure, figure, type Json } from './figures.ts';

export type Fields = { readonly [key: string]: Json };

export interface Reply {
  readonly status: number;
  readonly body?: Json | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Product {
  readonly code: string;
  readonly base: string;
  readonly quote: string;
  readonly price: string;
  readonly priceIncrement: string;
  readonly sizeIncrement: string;
  readonly minSize: string;
  readonly minNotionalValue: string;
  /** Sizes from here on have a spread (2.8 rule 2). */
  readonly spreadFrom: string;
}

export interface Executed {
  readonly id: string;
  readonly at: number;
  readonly quoteId: string;
  readonly product: Product;
  readonly side: 'BUY' | 'SELL';
  readonly price: bigint;
  readonly size: bigint;
  readonly value: bigint;
  readonly fee: bigint;
  readonly feeCcy: string;
}

/** What the specification leaves to the service. Each member is one choice; the defaults are this house's. */
export interface Reading {
  /** 2.8 baseCcy: ISO codes are upper-case, so are all others. */
  readonly currency: (code: string) => string;
  /** 2.6 productCode: lower case, as "internal code" suggests. */
  readonly product: (code: string) => string;
  /** 2.8 "numbers": JSON numbers with the scale of the decimal behind them, such as 618.00500000. */
  readonly feedFigure: (text: string) => Json;
  /** 2.6 limits: texts, so that no reader loses a digit. */
  readonly limitFigure: (text: string) => Json;
  /** 2.8 TQ: last touch to a quote before it is sent. Here fields stand in an order of their own and two are unknown outside. */
  readonly quote: (quote: Fields) => Fields;
  /** 2.8 validUntil: microseconds. */
  readonly validUntil: (ms: number) => Json;
  /** 2.8 "a few seconds". */
  readonly validForMs: number;
  /** 2.8 id: lower-case UUID; a service may also write it in upper case. */
  readonly quoteId: (id: string) => string;
  /** 2.8 ACK: echoes the four fields, with null for what was not given. */
  readonly ack: (ack: Fields) => Fields;
  /** 3 feed: the first ACK of a connection comes at once. */
  readonly ackAfterMs: number;
  /** 3 feed: quotes of the present subscription wait for its ACK. */
  readonly quotesBeforeAck: boolean;
  /** 3 feed: the ACK of a replacing request takes this long, and the old quotes go on until then. */
  readonly replaceAfterMs: number;
  /** 2.8: further messages that may come beside the five; a heartbeat with a kind of its own. */
  readonly extraMessages: readonly string[];
  /** 4.2, 4.3: bare arrays. */
  readonly list: (records: readonly Json[], of: 'accounts' | 'products') => Json;
  /** 4.4 response: 200, the trade under "trade", its state "EXECUTED", fees as a list. */
  readonly answer: (order: Executed, words: { readonly currency: (code: string) => string }) => Reply;
  /** 7 error body: a problem document (RFC 9457). */
  readonly problem: (status: number, title: string, detail: string) => Reply;
  /** 2.8 fees: "two expressions of one fee", taken in quote currency. */
  readonly feeIn: 'quote' | 'base';
  /** 5.1: the server's clock, against that of this machine. */
  readonly clockAheadMs: number;
  /** 4.4: how long an order takes. */
  readonly answerAfterMs: number;
  /** 5.2: a second factor is asked for at the sign-in. */
  readonly secondFactor: boolean;
  /** Strategies are read back (notes); false: 404. */
  readonly find: boolean;
  /** RFC 7692: frames may be compressed where the client offers it. */
  readonly compression: boolean;
  /** RFC 6455: messages may be split into frames. */
  readonly fragments: boolean;
  /** 2.7 inputValue: the size is floored to the step, so the value is a little less; true: the value is met and the size is not on the step. */
  readonly exactValue: boolean;
  /** The base address may have a path, as behind a gateway; it is part of the signed path, as sent. */
  readonly prefix: string;
}

const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`;

export const HOUSE: Reading = {
  currency: (code) => code.toUpperCase(),
  product: (code) => code,
  feedFigure: (text) => new Figure(text),
  limitFigure: (text) => text,
  quote: ({ id, validUntil, ...rest }) => ({ validUntil, venueSeq: 17, ...rest, liquidity: { tier: 'A', hops: [] }, id }),
  validUntil: iso,
  validForMs: 3000,
  quoteId: (id) => id,
  ack: (ack) => ({ ...ack, config: { maxInputSize: 100 } }),
  ackAfterMs: 0,
  quotesBeforeAck: false,
  replaceAfterMs: 0,
  extraMessages: ['{"msgType":"HEARTBEAT","sentAt":1}'],
  list: (records) => records,
  answer: (order, { currency }) => ({
    status: 200,
    body: {
      trade: {
        tradeId: randomUUID(),
        orderType: 'MARKET',
        side: order.side,
        state: 'EXECUTED',
        price: figure(order.price, 2),
        size: figure(order.size, 8),
        value: figure(order.value, 8),
        fees: [{ amount: figure(order.fee, 8), currency: currency(order.feeCcy) }],
        executedAt: iso(order.at),
      },
    },
  }),
  problem: (status, title, detail) => ({
    status,
    body: { type: 'about:blank', title, status, detail },
    headers: { 'content-type': 'application/problem+json' },
  }),
  feeIn: 'quote',
  clockAheadMs: 0,
  answerAfterMs: 15,
  secondFactor: false,
  find: true,
  compression: false,
  fragments: false,
  exactValue: false,
  prefix: '',
};

export const PRODUCTS: readonly Product[] = [
  {
    code: 'btcusd',
    base: 'btc',
    quote: 'usd',
    price: '61800.50',
    priceIncrement: '0.01',
    sizeIncrement: '0.00000001',
    minSize: '0.00001',
    minNotionalValue: '5',
    spreadFrom: '0.05',
  },
  {
    code: 'ethsek',
    base: 'eth',
    quote: 'sek',
    price: '27650.25',
    priceIncrement: '0.05',
    sizeIncrement: '0.0001',
    minSize: '0.001',
    minNotionalValue: '50',
    spreadFrom: '0.01',
  },
  {
    code: 'eurusd',
    base: 'eur',
    quote: 'usd',
    price: '1.08501',
    priceIncrement: '0.00001',
    sizeIncrement: '0.01',
    minSize: '1',
    minNotionalValue: '1',
    spreadFrom: '5000',
  },
];
