import { limitsOf, OPENING_VALUE_LIMITS, type ValueCap } from '#core/risk/limits.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { RiskSettings } from '#domain/limits.ts';

/** Figures by currency, as a configuration has them. */
type ByCurrency = Readonly<Record<string, string>>;

/** The opening of an amount, and what it is held against. */
interface OpeningHeld {
  /** What an opening is worth at the highest price that is known, in `currency`. */
  readonly worth: number;
  readonly currency: string;
  /** Currencies that there are rates into; undefined where every rate is taken to be there. */
  readonly rates?: KnownRates | undefined;
  readonly risk: RiskSettings;
  /** By currency, as the strategy has it; null where openings are not held against one. */
  readonly budget: Readonly<Record<string, Decimal | string>> | null;
}

/** The settings that have to change so that an amount can be opened, each a whole group with what else stands in it. */
export interface FittingSettings {
  readonly risk: Readonly<Record<string, ByCurrency>>;
  readonly budget: ByCurrency | undefined;
}

/** Room for prices that rise above the highest known one, and for fees. */
const ROOM = 1.2;

/** Limits of value and the budget under which the opening passes; those that need not change are left out. */
export function fittingSettings({ worth, currency, rates, risk, budget }: OpeningHeld): FittingSettings {
  const caps = limitsOf(risk);
  const enough = roundedUp(worth * ROOM);
  const named = OPENING_VALUE_LIMITS.map((name) => [name, caps[name]] as const);
  const { maxDayLoss } = caps;
  const lossLimit: readonly (readonly [string, ByCurrency])[] = isUnrated(maxDayLoss, currency, rates)
    ? [['maxDayLoss', withFigure(maxDayLoss, currency, roundedUp(enough * shareOf(maxDayLoss, caps.maxOrderValue)))]]
    : [];
  const isTight = named.some(([, cap]) => figureBelow(cap, { worth, currency, rates }));
  const changed = named.flatMap(([name, cap]): (readonly [string, ByCurrency])[] => {
    if (cap === null) return [];
    if (isUnrated(cap, currency, rates))
      return [[name, withFigure(cap, currency, roundedUp(enough * Math.max(1, shareOf(cap, caps.maxOrderValue))))]];
    // All of them, so that the limit of an order is never above that of a position.
    return isTight && figureBelow(cap, { worth: enough, currency, rates }) ? [[name, withFigure(cap, currency, enough)]] : [];
  });
  const isShort = budget !== null && Number(budget[currency] ?? 0) < worth;
  return {
    risk: Object.fromEntries([...changed, ...lossLimit]),
    budget: isShort ? withFigure(new Map(Object.entries(budget)), currency, enough) : undefined,
  };
}

/** Currencies that there are rates into, each with the lowest that is known; the own one at 1. */
export type KnownRates = ReadonlyMap<string, number>;

/**
 * The figure of a limit that a worth is above: the one in its currency, else the first one that a rate leads into, at the lowest known.
 * Undefined where it is above none.
 */
export function figureBelow(
  cap: ValueCap,
  { worth, currency, rates }: Pick<OpeningHeld, 'worth' | 'currency' | 'rates'>,
): { readonly figure: Decimal; readonly currency: string } | undefined {
  const into = cap?.has(currency) ? currency : [...(cap?.keys() ?? [])].find((one) => rates?.has(one));
  const figure = into === undefined ? undefined : cap?.get(into);
  if (into === undefined || figure === undefined) return undefined;
  const rate = into === currency ? 1 : (rates?.get(into) ?? 0);
  return worth * rate > Number(figure) ? { figure, currency: into } : undefined;
}

/** True for a limit that amounts in a currency cannot be held against: it has none of its own, and there is no rate into another. */
export const isUnrated = (cap: ValueCap, currency: string, rates: Pick<KnownRates, 'has'> | undefined): cap is Exclude<ValueCap, null> =>
  cap !== null && rates !== undefined && !cap.has(currency) && ![...cap.keys()].some((one) => rates.has(one));

/** A group as one line of YAML: `{ usd: 2000, eur: 2000 }`. */
export const flowYaml = (group: Readonly<Record<string, unknown>>): string =>
  `{ ${Object.entries(group)
    .map(([name, value]) => `${name}: ${typeof value === 'object' && value !== null ? flowYaml({ ...value }) : value}`)
    .join(', ')} }`;

/** How many times the limit of an order another limit is, in a currency that both have; 1 where they have none. */
export function shareOf(cap: ReadonlyMap<string, Decimal>, ofOrder: ValueCap): number {
  const [both] = [...cap].filter(([currency]) => ofOrder?.has(currency));
  const least = both && ofOrder?.get(both[0]);
  return both && least ? both[1].div(least).toNumber() : 1;
}

/** A group with a figure in a currency, which stands first. */
export function withFigure(group: ReadonlyMap<string, Decimal | string>, currency: string, figure: number): ByCurrency {
  const others = [...group].filter(([one]) => one !== currency).map(([one, value]) => [one, String(value)]);
  return { [currency]: decimalOf(figure).toString(), ...Object.fromEntries(others) };
}

/** With two digits that count. */
export function roundedUp(value: number): number {
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.ceil(value / step - 1e-9) * step).toPrecision(2));
}
