import { decimalOf } from '../../src/domain/decimal.ts';
import type { Limits } from '../../src/trading/limits.ts';

/** Every limit off. */
export const NO_LIMITS: Limits = {
  maxOrderValue: null,
  maxPositionValue: null,
  maxStrategyValue: null,
  maxTotalValue: null,
  maxDayValue: null,
  maxDayLoss: null,
  maxDrawdownPct: null,
  maxOrdersPerMinute: null,
  maxOrdersPerMinuteOfStrategy: null,
  maxOrdersPerMinuteOfProduct: null,
  maxThrottledPerMinute: null,
  maxSpreadPct: null,
  maxSlippagePct: null,
  maxFeePct: null,
  collarPct: null,
  reducingCollarPct: null,
  reducingOrderSharePct: null,
  minTimeLeftMs: null,
  duplicateWindowMs: null,
  maxUnknown: null,
  maxRejectionStreak: null,
  maxLossStreak: null,
  maxLossStreakOfAll: null,
  lossCooldownMs: 60_000,
};

/** A limit of so many dollars. */
export const usd = (amount: number): ReadonlyMap<string, ReturnType<typeof decimalOf>> => new Map([['usd', decimalOf(amount)]]);
