import { existsSync } from 'node:fs';
import { BrokerQuery } from '#adapters/service/orders/broker-query.ts';
import { accountBalances, compareLedger } from '#apps/operations/account-balances.ts';
import type { Settings } from '#config/settings.ts';
import type { Timers } from '#ports/timers.ts';
import { type Finding, guarded, ok, warn } from './finding.ts';

const NOT_OFFERED = 'take it out of service.capabilities where the service does not offer it';

/** What `service.capabilities` names: whether the service answers, and whether the ledger agrees with the account. */
export async function capabilityFindings(settings: Settings, timers: Timers): Promise<readonly Finding[]> {
  const { service, journal } = settings;
  const { baseUrl, capabilities } = service;
  // A venue that was started for the doctor knows neither orders nor money.
  if (baseUrl === null) return [];
  const asked = capabilities.includes('order-query')
    ? await guarded('order-query', NOT_OFFERED, async () => {
        const query = new BrokerQuery({ baseUrl, service, timers });
        try {
          const { kind } = await query.order(timers.uuid());
          return [
            kind === 'none'
              ? ok('order-query', 'the service can be asked what became of an order')
              : warn('order-query', 'the service knows an order on a quote that never was', NOT_OFFERED),
          ];
        } finally {
          await query.close();
        }
      })
    : [];
  if (!capabilities.includes('balances')) return asked;
  const compared = await guarded('balances', NOT_OFFERED, async () => {
    const told = await accountBalances(settings, timers);
    if (!existsSync(journal.path)) return [ok('balances', `the account has ${told.size} currencies; there is no ledger yet`)];
    const wrong = compareLedger(journal.path, told, { whole: true }).differences.filter(({ correction }) => !correction.isZero());
    if (wrong.length === 0) return [ok('balances', 'the ledger agrees with the account')];
    const words = wrong.map(({ currency, ledger, actual }) => `${currency} ${actual}, and the ledger ${ledger}`);
    return [warn('balances', `the account has ${words.join('; ')}`, 'settle unknown orders, then run `kairos reconcile`')];
  });
  return [...asked, ...compared];
}
