import { expect } from 'vitest';
import type { PositionBounds } from '#core/portfolio/books.ts';
import type { Limits } from '#core/risk/limits.ts';
import { type LastResults, RiskApproval, type RiskInput } from '#core/risk/risk.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import { currency, laneIdOf, orderId, strategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import { NO_LIMITS, usd } from '../../support/limits.ts';
import { BTC, btcProduct, quote } from '../../support/market-data.ts';
import { type Figures, measuredOf } from './figures.ts';

/** Limits with a round figure each. */
export const limits: Limits = {
  ...NO_LIMITS,
  maxOrderValue: usd(1000),
  maxPositionValue: usd(2000),
  maxExitValue: usd(6000),
  maxStrategyValue: usd(3000),
  maxTotalValue: usd(4000),
  maxDayValue: usd(5000),
  maxOrdersPerMinute: 5,
  maxOrdersPerMinuteOfStrategy: 3,
  maxOrdersPerMinuteOfProduct: 4,
  maxSpreadPct: 0.5,
  maxSlippagePct: 0.2,
  maxFeePct: 0.3,
  collarPct: 2,
  reducingCollarPct: 10,
  minTimeLeftMs: 250,
  duplicateWindowMs: 400,
  maxUnknown: 1,
};
export const flat: PositionBounds = { low: ZERO, high: ZERO };
export const long = (size: string): PositionBounds => ({ low: decimalOf(size), high: decimalOf(size) });

export const amounts = (amount: string, name = 'usd') => new Map([[currency(name), decimalOf(amount)]]);

export interface Case extends Partial<Omit<RiskInput, 'order' | 'measured'>> {
  readonly figures?: Partial<Figures>;
  /** When the strategy wanted the order, in milliseconds since 1970. */
  readonly intentAt?: number;
  readonly slippage?: number;
  /** Percent of the value. */
  readonly feePct?: number;
  readonly side?: 'buy' | 'sell';
  readonly size?: string;
  readonly price?: string;
  readonly quoteCcy?: string;
  /** The quote currency unless it is said. */
  readonly feeCcy?: string;
  readonly spread?: number;
  /** The amount of the lane that the quote came from. */
  readonly lane?: string;
  /** What orders before it found. */
  readonly found?: LastResults;
}

/** What the checks say of an order of 0.01 btc at 60,000 usd, where nothing stands against it but what the case says. */
export function assess({
  side = 'buy',
  size = '0.01',
  price = '60000',
  quoteCcy = 'usd',
  feeCcy = quoteCcy,
  spread = 0,
  slippage = 0,
  feePct = 0.1,
  lane,
  found,
  figures,
  intentAt = 0,
  ...rest
}: Case = {}) {
  const base = lane === undefined ? quote() : { ...quote(), lane: laneIdOf(`btcusd@${lane}`) };
  const value = decimalOf(size).times(price);
  const ccy = currency(quoteCcy);
  const prices = { buy: 60_000 * (1 + spread / 200), sell: 60_000 * (1 - spread / 200) };
  const order: OrderCore = {
    id: orderId('1-1'),
    strategy: strategyId('s'),
    product: BTC,
    baseCcy: currency('btc'),
    quoteCcy: ccy,
    side,
    quoteId: base.id ?? expect.fail('the quote has an id'),
    lane: base.lane,
    validUntil: base.validUntil,
    intentAt,
    figures: { price: decimalOf(price), size: decimalOf(size), value, fee: value.times('0.001'), feeCcy: currency(feeCcy) },
  };
  const input: RiskInput = {
    order,
    quote: {
      ...base,
      buy: { ...base.buy, price: prices.buy },
      sell: { ...base.sell, price: prices.sell },
      // What a quote says of its spread counts for nothing.
      spread: 0,
      spreadPercentage: spread / 100,
      [side]: { ...base[side], price: prices[side], slippage: 0, slippagePercentage: slippage, value: 600, feeInQuoteCcy: 6 * feePct },
    },
    product: btcProduct,
    limits,
    limitPrice: null,
    halted: false,
    disarmed: false,
    reducing: null,
    disabled: false,
    paused: false,
    closed: null,
    untradable: null,
    silentInput: null,
    quarantined: false,
    time: null,
    quoteTaken: false,
    timeLeftMs: 2000,
    frozen: false,
    inFlight: false,
    interval: flat,
    grossExposure: ZERO,
    budgetLeft: decimalOf(10_000),
    canShort: false,
    exitAllowed: null,
    exitPauseMs: 0,
    measured: measuredOf(figures),
    ...rest,
  };
  return RiskApproval.assess(input, found);
}
