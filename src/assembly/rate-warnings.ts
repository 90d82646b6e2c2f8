import type { Settings, StrategySettings } from '#config/settings.ts';
import { figuresForOthers, limitsOf } from '#core/risk/limits.ts';
import { conversionsFrom } from '#domain/conversions.ts';
import { flowYaml, isUnrated, roundedUp, shareOf, withFigure } from './fitting-settings.ts';

/** A product that is quoted, as far as rates follow from it. */
interface RateProduct {
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
}

/** What a missing rate does, and the settings that mend it. */
export interface RateWarning {
  readonly code: 'ACCOUNT_WITHOUT_RATE' | 'LOSSES_WITHOUT_RATE';
  readonly what: string;
  /** Begins with `write`. */
  readonly mend: string;
  readonly text: string;
}

/** A strategy with the products that it trades: its own, and the lanes among its inputs. */
type Trading = Pick<StrategySettings, 'id' | 'product' | 'inputs'>;

/** The strategies that trade in each currency. */
type ByCurrency = readonly (readonly [currency: string, strategies: readonly Pick<StrategySettings, 'id'>[]])[];

/**
 * What the currencies in which strategies trade lack: a rate to that of the account, in which everything is added up, and one for which no
 * figure of `risk.maxDayLoss` holds. `quoted`: all products that there are quotes of.
 */
export function rateWarnings(
  strategies: readonly Trading[],
  settings: Pick<Settings, 'risk' | 'account'>,
  quoted: readonly RateProduct[],
): readonly RateWarning[] {
  const currencies = new Map(quoted.map(({ product, quoteCcy }) => [product, quoteCcy]));
  const legs = strategies.flatMap((strategy) => tradedBy(strategy).map((product) => ({ strategy, currency: currencies.get(product) })));
  const traded = [...Map.groupBy(legs, ({ currency }) => currency)].flatMap(([currency, own]) =>
    currency === undefined ? [] : [[currency, [...new Set(own.map(({ strategy }) => strategy))]] as const],
  );
  return [...unadded(traded, settings, quoted), ...unheld(traded, settings, quoted)];
}

function tradedBy({ product, inputs }: Trading): readonly string[] {
  return [product, ...Object.values(inputs).flatMap((input) => (input.amount === null ? [] : [input.product]))];
}

/** The same of a backtest, whose figures are all in the one currency that it trades in, where there is no other. */
export function rateWarningsOfPlayed(...of: Parameters<typeof rateWarnings>): readonly RateWarning[] {
  const [strategies, , quoted] = of;
  const products = new Set(strategies.flatMap(tradedBy));
  const currencies = new Set(quoted.flatMap(({ product, quoteCcy }) => (products.has(product) ? [quoteCcy] : [])));
  return rateWarnings(...of).filter(({ code }) => code !== 'ACCOUNT_WITHOUT_RATE' || currencies.size > 1);
}

function unadded(
  traded: ByCurrency,
  { account: { currency } }: Pick<Settings, 'account'>,
  quoted: readonly RateProduct[],
): readonly RateWarning[] {
  const apart = traded.filter(([one]) => !conversionsFrom(one, quoted).has(currency));
  const [first] = apart.map(([one]) => one);
  if (first === undefined) return [];
  const named = (between: string): string => apart.map(([one]) => one).join(` ${between} `);
  const follows = `sums are by currency, and a limit without a figure in ${named('or')} opens nothing (NO_RATE)`;
  const who = whoTrade([...new Set(apart.flatMap(([, strategies]) => strategies))]);
  return [
    warning('ACCOUNT_WITHOUT_RATE', {
      what: `no lane leads from ${named('and')} (${who}) to account.currency, ${currency}: ${follows}`,
      mend: `write account: { currency: ${first} }, or account: { rates: [{ product: PRODUCT, amount: { base: N } }] } with a product that leads from ${first} to ${currency}, or each limit of risk as a group by currency`,
    }),
  ];
}

function unheld(
  traded: ByCurrency,
  { risk, account }: Pick<Settings, 'risk' | 'account'>,
  quoted: readonly RateProduct[],
): readonly RateWarning[] {
  const { maxDayLoss, maxOrderValue } = limitsOf(risk);
  const others = figuresForOthers(maxDayLoss, account.currency);
  if (maxDayLoss === null || others === null) return [];
  return traded.flatMap(([currency, losing]) => {
    if (maxDayLoss.has(currency) || !isUnrated(others, currency, conversionsFrom(currency, quoted))) return [];
    const order = maxOrderValue?.get(currency)?.toNumber();
    const [usual] = maxDayLoss.has(account.currency) ? [maxDayLoss.get(account.currency)] : maxDayLoss.values();
    const figure = order === undefined ? (usual?.toNumber() ?? 0) : roundedUp(order * shareOf(maxDayLoss, maxOrderValue));
    const lacking = `risk.maxDayLoss has no figure in it, and no quotes give its rate to ${[...others.keys()].join(', ')}`;
    return [
      warning('LOSSES_WITHOUT_RATE', {
        what: `losses in ${currency} (${whoTrade(losing)}) never stop trading: ${lacking}`,
        mend: `write risk: ${flowYaml({ maxDayLoss: withFigure(maxDayLoss, currency, figure) })}`,
      }),
    ];
  });
}

const warning = (code: RateWarning['code'], { what, mend }: Pick<RateWarning, 'what' | 'mend'>): RateWarning => ({
  ...{ code, what, mend },
  text: `${what}: ${mend}`,
});

const whoTrade = (strategies: readonly Pick<StrategySettings, 'id'>[]): string =>
  `${strategies.length === 1 ? 'strategy' : 'strategies'} ${strategies.map(({ id }) => id).join(', ')}`;
