import { existsSync } from 'node:fs';
import { DEFAULT_BUDGET } from '#assembly/assemble.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import { limitsOf, type ValueLimitName } from '#core/risk/limits.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { messageOf } from '#domain/errors.ts';
import { modeFacts } from '#domain/mode.ts';
import type { Timers } from '#ports/timers.ts';
import type { ArmView } from '#server/page/history-view.ts';
import { askBalances, ledgerTotals } from './account-balances.ts';

/** What an arming lets trade: where, for whom, in which mode, and which strategies with what. */
export function scopeOf({ settings, mode }: Pick<LoadedConfig, 'settings' | 'mode'>): ArmView['scope'] {
  const { service, strategies } = settings;
  const budgetOf = (budget: (typeof strategies)[number]['budget']): string => {
    const amounts = Object.entries(budget ?? {}).map(([currency, amount]) => `${amount} ${currency}`);
    return `budget ${amounts.length === 0 ? `${DEFAULT_BUDGET} of the quote currency` : amounts.join(', ')}`;
  };
  return [
    { key: 'service', value: service.baseUrl ?? 'the paper venue, embedded' },
    { key: 'user', value: service.userId === null ? 'none' : String(service.userId) },
    { key: 'mode', value: modeFacts(mode).words },
    ...strategies.map(({ id, use, product, amount, budget, enabled }) => ({
      key: `strategy ${id}`,
      value: `${use} on ${product}, ${'base' in amount ? `${amount.base} base` : `${amount.quote} quote`} an order, ${budgetOf(budget)}${enabled ? '' : '; not enabled'}`,
    })),
    ...(strategies.length === 0 ? [{ key: 'strategies', value: 'none' }] : []),
  ];
}

/** What the account holds by currency, and who says so. */
interface AccountHeld {
  readonly by: 'service' | 'ledger' | 'account.opening';
  readonly amounts: ReadonlyMap<string, Decimal>;
}

/** By the service where it can be asked, else by the journal's ledger or the settings; null where nobody says. Tells `notice` why the service could not be asked. */
export async function accountHeld(settings: Settings, timers: Timers, notice: (text: string) => void): Promise<AccountHeld | null> {
  const asked = await askBalances(settings, timers).catch((error: unknown) => {
    notice(`the service was asked for balances in vain: ${messageOf(error)}`);
    return null;
  });
  if (asked) return { by: 'service', amounts: new Map([...asked].map(([currency, amount]) => [currency, decimalOf(amount)])) };
  const ledger = existsSync(settings.journal.path) ? ledgerTotals(settings.journal.path) : new Map<string, Decimal>();
  if (ledger.size > 0) return { by: 'ledger', amounts: ledger };
  const opening = Object.entries(settings.account.opening ?? {}).map(([currency, amount]) => [currency, decimalOf(amount)] as const);
  return opening.length === 0 ? null : { by: 'account.opening', amounts: new Map(opening) };
}

/** Limits of one moment, which an account that holds less can never reach. Those of a day may be traded several times over. */
const OF_A_MOMENT = ['maxOrderValue', 'maxPositionValue', 'maxStrategyValue', 'maxTotalValue'] as const satisfies readonly ValueLimitName[];

/** The limits and budgets that are more than the account holds in their currency, so that they limit nothing. */
export function overAccount({ risk, strategies }: Pick<Settings, 'risk' | 'strategies'>, { by, amounts }: AccountHeld): readonly string[] {
  const limits = limitsOf(risk);
  const over = (name: string, currency: string, amount: Decimal): readonly string[] => {
    const held = amounts.get(currency) ?? decimalOf(0);
    return amount.gt(held) ? [`${name} is ${amount} ${currency}, and the account holds ${held} (${by})`] : [];
  };
  const budgets = new Map<string, Decimal>();
  for (const { budget } of strategies) {
    for (const [currency, amount] of Object.entries(budget ?? {}))
      budgets.set(currency, decimalOf(amount).plus(budgets.get(currency) ?? 0));
  }
  return [
    ...OF_A_MOMENT.flatMap((name) => {
      const held = [...(limits[name] ?? [])].filter(([currency]) => amounts.has(currency));
      return held.flatMap(([currency, amount]) => over(`risk.${name}`, currency, amount));
    }),
    ...[...budgets].flatMap(([currency, amount]) => over('the sum of the budgets', currency, amount)),
  ];
}
