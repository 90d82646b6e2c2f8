/** What strategy modules see as `kairos/strategy`: the whole of what they need, and nothing that is not theirs. */
export { Decimal } from '#domain/decimal.ts';
export type { BasicQuote, BookLevel, FullQuote } from '#domain/indicative-quote.ts';
export type { Hold, Intent } from '#domain/intent.ts';
export type { Amount } from '#domain/lane.ts';
export type { Millis } from '#domain/names.ts';
export type { Quote, QuoteSide, Side } from '#domain/quote.ts';
export type { Reason } from '#domain/reasons.ts';
export { type Seeded, seeded } from '#domain/seeded.ts';
export { type Candle, candles, type Ohlc } from './candles.ts';
export type {
  Decided,
  Deposit,
  LaneView,
  MarkedStrategy,
  Market,
  OrderView,
  Outcome,
  PositionView,
  ProductLimits,
  StateEvent,
  StateSpec,
  StrategyDefinition,
  View,
} from './contract.ts';
export { strategy } from './contract.ts';
export type { Duration } from './duration.ts';
export {
  auditTime,
  bufferTime,
  debounceTime,
  delay,
  interval,
  sampleTime,
  throttleTime,
  timeInterval,
  timeout,
  timer,
  timestamp,
  windowTime,
} from './engine-time.ts';
export { above, type Cross, crossing, type Indicator, indicator, observe, type Standing, type Step, select } from './indicators.ts';
export { basic, fullBook, type InputSpec, lane, type Received, signal } from './inputs.ts';
export { type AmountLike, buy, close, hold, type IntentOptions, type Stance, sell, target, towards, withdraw } from './intents.ts';
export { type EmaOptions, ema, sma, wilder, wma } from './operators/averages.ts';
export { type Adx, adx, atr, type Bar, type Stochastic, type StochasticOptions, stochastic } from './operators/bars.ts';
export { imbalance, microprice } from './operators/book.ts';
export { type Bands, bollinger, stdev, zscore } from './operators/deviation.ts';
export { highest, lag, lowest } from './operators/extremes.ts';
export { mid, price, roundTripCost, spread, timeLeft, value } from './operators/liquidity.ts';
export { type Macd, macd, rsi } from './operators/momentum.ts';
export { twap } from './operators/twap.ts';
export { type OperatorSpec, operator } from './own-operator.ts';
export { type ParamSpec, type ParamSpecs, type ParamValues, param } from './params.ts';
