import type { Amounts } from '#core/portfolio/amounts.ts';
import type { Books } from '#core/portfolio/books.ts';
import type { Exposure } from '#core/portfolio/exposure.ts';
import type { Capital } from '#core/portfolio/ledger.ts';
import { type Marks, sumIn } from '#core/portfolio/valuation.ts';
import type { LimitSetting } from '#domain/limits.ts';
import type { Millis } from '#domain/names.ts';
import type { CountLimit, Limits, ValueLimitName } from './limits.ts';
import type { DayLoss, Drawdown } from './loss-limits.ts';
import { mostPerMinute, type OrderCounts } from './order-counts.ts';

/** How much of a limit is used, for people: an estimate in doubles. */
export interface LimitUse {
  /** The setting, such as `risk.maxDayLoss`. */
  readonly name: LimitSetting;
  /** `all`, a strategy or a product. */
  readonly scope: string;
  readonly used: number;
  readonly limit: number;
  /** A currency, `%`, or what is counted. */
  readonly unit: string;
  /** How many more there may be that only exits have. */
  readonly forExits?: number;
  /** Since when it counts, where a person has armed or resumed and earlier losses no longer do. */
  readonly since?: Millis | undefined;
}

interface LimitUseInput {
  readonly limits: Limits;
  readonly now: Millis;
  /** The account's. */
  readonly currency: string;
  readonly capitals: readonly Capital[];
  readonly counts: OrderCounts;
  readonly exposure: Exposure;
  readonly books: Books;
  readonly marks: Marks;
  readonly dayLosses: readonly DayLoss[];
  /** Below the highest profit of all, and below that since a person armed or resumed; undefined while they cannot be measured. */
  readonly drawdown: Drawdown | undefined;
  readonly heldDrawdown: Drawdown | undefined;
  readonly resumedAt: Millis | undefined;
}

/** What counts towards each limit that is kept over more than one order. Changes nothing. */
export function limitUses(input: LimitUseInput): readonly LimitUse[] {
  const { limits, now, currency, capitals, counts, exposure, books, marks, dayLosses, drawdown, heldDrawdown, resumedAt } = input;
  const strategies = [...new Set(capitals.map(({ strategy }) => strategy))];
  const products = [...new Set(capitals.map(({ product }) => product))];
  const rate = marks.ratesAt(now);
  const counted = (name: CountLimit, used: number, { scope = 'all', unit = 'orders' } = {}): LimitUse[] => {
    const limit = limits[name];
    return limit === null ? [] : [{ name: `risk.${name}`, scope, used, limit, unit }];
  };
  const values = (name: ValueLimitName, amounts: () => Amounts, scope = 'all'): LimitUse[] => {
    const cap = limits[name];
    if (cap === null) return [];
    return [...cap].flatMap(([into, limit]) => {
      const used = sumIn(amounts(), cap, { into, rate });
      // A map of limits has currencies that nothing is traded in: they are left out.
      if (typeof used === 'string' || (used.isZero() && into !== currency)) return [];
      return [{ name: `risk.${name}`, scope, used: used.toNumber(), limit: limit.toNumber(), unit: into }];
    });
  };
  return [
    ...[...(limits.maxDayLoss ?? [])].flatMap(([into, limit]): LimitUse[] => {
      const { lost = 0, isResumed = false } = dayLosses.find((one) => one.currency === into) ?? {};
      if (lost <= 0 && into !== currency) return [];
      const since = isResumed ? resumedAt : undefined;
      return [{ name: 'risk.maxDayLoss', scope: 'all', used: Math.max(0, lost), limit: limit.toNumber(), unit: into, since }];
    }),
    ...(heldDrawdown === undefined ? [] : counted('maxDrawdownPct', heldDrawdown.pct, { unit: '%' })).map((use) => ({
      ...use,
      since: heldDrawdown?.pct === drawdown?.pct ? undefined : resumedAt,
    })),
    ...values('maxDayValue', () => counts.dayValue(now)),
    ...values('maxTotalValue', () => exposure.ofAll()),
    ...strategies.flatMap((strategy) => values('maxStrategyValue', () => exposure.ofStrategy(strategy), strategy)),
    ...products.flatMap((product) => {
      const quoteCcy = marks.quoteCcyOf(product);
      const worst = books.grossExposure(product);
      const price = marks.closingPrice(product, worst.toNumber());
      if (quoteCcy === undefined || price === undefined) return [];
      return values('maxPositionValue', () => new Map([[quoteCcy, worst.times(price)]]), product);
    }),
    ...counted('maxOrdersPerMinute', counts.rateOf('all', {}).inLastMinute(now)).map((use) => {
      const openings = mostPerMinute(limits, 'all') ?? use.limit;
      return { ...use, limit: openings, forExits: use.limit - openings };
    }),
    ...strategies.flatMap((strategy) =>
      counted('maxOrdersPerMinuteOfStrategy', counts.rateOf('strategy', { strategy }).inLastMinute(now), { scope: strategy }),
    ),
    ...products.flatMap((product) =>
      counted('maxOrdersPerMinuteOfProduct', counts.rateOf('product', { product }).inLastMinute(now), { scope: product }),
    ),
    ...counted('maxUnknown', books.unknownOpenings, { unit: 'unknown orders' }),
    ...counted('maxRejectionStreak', counts.rejections, { unit: 'rejections in a row' }),
  ];
}
