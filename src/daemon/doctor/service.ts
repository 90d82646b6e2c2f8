import { existsSync } from 'node:fs';
import { clockAhead, measuredOffset } from '#adapters/service-client/clock/measured-offset.ts';
import type { ObservedReading } from '#adapters/service-client/hearing/heard.ts';
import { errorBodyReading } from '#adapters/service-client/hearing/probe-reading.ts';
import { BrokerQuery, QueryRefused } from '#adapters/service-client/orders/broker-query.ts';
import { type ProbeAnswer, probeOrder } from '#adapters/service-client/rest/probe.ts';
import { proxyFor, proxyText } from '#adapters/service-client/rest/proxy.ts';
import { serviceAddress } from '#adapters/service-client/rest/service-address.ts';
import { wireCode } from '#adapters/service-client/spelling.ts';
import { unpassableAmounts } from '#assembly/amount-limits.ts';
import { checkProducts } from '#assembly/assemble.ts';
import { productNeeds } from '#assembly/changed-products.ts';
import { needsToken, quotedProducts, type Service } from '#assembly/service.ts';
import { sharedAtStart, venueFaults, venueRateFaults, venueWarnings } from '#assembly/start-faults.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import { accountBalances, compareAtRest } from '#daemon/operations/account-balances.ts';
import { serviceAtHand } from '#daemon/operations/service-at-hand.ts';
import { KairosError } from '#domain/errors.ts';
import { modeFacts } from '#domain/mode.ts';
import type { Millis } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { type Finding, fail, guarded, KEY_MEND, ok, warn } from './finding.ts';
import type { ServiceDialect } from './first-inspection.ts';

/** Samples of a clock that should be this machine's. */
const OWN_LOOKS = { wanted: 1, maxRefused: 2 };
/** Maximum error of this machine's clock if it is the reference, in milliseconds; of a service on this machine, which answers with whole seconds. */
const SYSTEM_MS = 1000;
const OWN_MS = 2000;
const OWN_CLOCK = 'the service is on this machine and has its clock';

/** Options of the checks of the service. */
interface ServiceLook {
  readonly timers: Timers;
  readonly probe: boolean;
  /** False where the last run had secrets of the service, and this command has not: nothing signed is asked. */
  readonly hasKey: boolean;
  /** How long to listen to its dialect; null for not at all. */
  readonly listenMs: Millis | null;
  /** Called with the dialect. */
  readonly onDialect?: (dialect: ServiceDialect) => void;
}

interface ServiceTime {
  readonly timers: Timers;
  /** Stamps signatures. */
  readonly serviceClock: ServiceClock;
}

const NOT_OFFERED = 'take it out of service.capabilities where the service does not offer it';
const mendOfQuery = (error: unknown): string => (error instanceof QueryRefused && error.isKeyRefused ? KEY_MEND : NOT_OFFERED);

/** Checks the service, or the paper venue of the running daemon, else one started for this: products, clock, with `probe` its answer to a signed order, and with `listenMs` its dialect. */
export async function serviceFindings(
  config: LoadedConfig,
  { timers, probe: wanted, hasKey, listenMs, onDialect }: ServiceLook,
): Promise<readonly Finding[]> {
  const { settings } = config;
  const probe = wanted && hasKey;
  const reach = 'start the service, or correct service.baseUrl';
  return guarded('service', reach, async () => {
    const service = await serviceAtHand(settings, timers);
    try {
      let products: readonly Product[] = [];
      const listed = await guarded('service', reach, async () => {
        products = await quotedProducts(service.client);
        const named = settings.strategies.length;
        const known = ok(
          'service',
          `${service.ofDaemon ? 'the paper venue of the running daemon' : service.embedded ? 'the embedded paper venue' : service.baseUrl} quotes ${products.length} products`,
        );
        const right = await guarded('products', 'correct the strategy or account.rates; `kairos products` lists what there is', () => {
          const needs = productNeeds(settings);
          checkProducts(needs, products);
          const [unfit] = [...needs.strategies.flatMap(venueFaults(settings)), ...venueRateFaults(settings)];
          if (unfit) throw unfit;
          return [
            named === 0
              ? warn('products', 'no strategy is configured', 'add one under strategies')
              : ok('products', named === 1 ? 'the amount of 1 strategy is valid' : `the amounts of ${named} strategies are valid`),
            ...venueWarnings(settings).map(({ what, mend }) => warn('rates', what, mend)),
            ...sharedAtStart(settings).map(({ what, mend }) => warn('limits', what, mend)),
          ];
        });
        return [known, ...right];
      });
      if (listed.some(({ check, verdict }) => check === 'service' && verdict === 'fail')) return listed;
      const clock = await clockFinding(service, { source: settings.clock.source, isSameClock: modeFacts(config.mode).isForTrials, timers });
      const serviceClock = clockAhead(clock.offsetMs, timers);
      const heard: ObservedReading[] = [];
      const onRefusal = (said: string): void => void heard.push(errorBodyReading(said));
      let dialect: ServiceDialect | undefined;
      const probed = probe ? await guarded('probe', reach, () => probeFindings(service, { timers, serviceClock, onRefusal })) : [];
      const listened =
        listenMs === null
          ? []
          : await guarded('dialect', reach, async () => {
              const { dialectFindings, firstLook, withMore } = await import('./first-inspection.ts');
              const look = await firstLook({ settings, service, products, timers, serviceClock, ms: listenMs });
              dialect = withMore(look, heard);
              onDialect?.(dialect);
              return dialectFindings(dialect);
            });
      const amounts = amountFindings(settings, products, dialect);
      const signedIn = probe && needsToken(config) ? await signInFindings(service) : [];
      return [
        ...proxyFindings(service),
        ...listed,
        clock.finding,
        ...probed,
        ...listened,
        ...amounts,
        ...signedIn,
        ...(hasKey ? await capabilityFindings(settings, { timers, serviceClock }) : []),
      ];
    } finally {
      await service.close();
    }
  });
}

/** Amounts that budget or limits always refuse, at the lowest price that was heard; those of the embedded venue are products' findings. */
function amountFindings(settings: Settings, products: readonly Product[], dialect: ServiceDialect | undefined): readonly Finding[] {
  if (settings.service.baseUrl === null) return [];
  return productNeeds(settings).strategies.flatMap((strategy) => {
    const product = products.find(({ code }) => code === strategy.product);
    const lane = product && dialect?.lanes.find((one) => one.product === wireCode(product));
    const heard = lane?.prices;
    const unpassable = unpassableAmounts(strategy, settings, heard ? { ...heard, highest: heard.lowest } : undefined);
    return unpassable.map(({ message }) => fail('limits', message, 'correct the strategy or its limits'));
  });
}

/** Reports the environment's proxy for the service, if any. */
function proxyFindings({ baseUrl, embedded }: Service): readonly Finding[] {
  const proxy = embedded ? null : proxyFor(serviceAddress(baseUrl));
  if (proxy === null) return [];
  return [ok('proxy', `quotes, orders and all other requests go through ${proxyText(proxy)} (${proxy.variable})`)];
}

/** The service's time less this machine's, by the dates of its answers; `offsetMs` is the correction of signatures. */
async function clockFinding(
  { baseUrl, settings }: Service,
  { source, isSameClock, timers }: { readonly source: 'date' | 'system'; readonly isSameClock: boolean; readonly timers: Timers },
): Promise<{ readonly finding: Finding; readonly offsetMs: number }> {
  const isOwn = isSameClock && source === 'system';
  const measured = await measuredOffset({ baseUrl, service: settings, timers }, isOwn ? OWN_LOOKS : undefined);
  if ('why' in measured) {
    if (isOwn) return { finding: ok('clock', OWN_CLOCK), offsetMs: 0 };
    const what = `the service's time cannot be had: ${measured.why}`;
    const mend = 'where NTP keeps this machine right, set clock.source: system';
    return { finding: source === 'system' ? warn('clock', what, 'compare the clocks yourself') : fail('clock', what, mend), offsetMs: 0 };
  }
  const { offsetMs, halfWidthMs } = measured;
  const figures = `the service's time less this machine's is ${offsetMs} ms, to ${halfWidthMs} ms`;
  const isWrong = source === 'system' && Math.abs(offsetMs) > (isOwn ? OWN_MS : SYSTEM_MS) + halfWidthMs;
  if (isOwn) {
    const mend = 'set clock.source: date, or fix the clock of the service';
    return { finding: isWrong ? fail('clock', `${figures}, though it is on this machine`, mend) : ok('clock', OWN_CLOCK), offsetMs: 0 };
  }
  return {
    finding: isWrong ? fail('clock', figures, 'fix NTP, or set clock.source: date') : ok('clock', figures),
    offsetMs: source === 'date' ? offsetMs : 0,
  };
}

/** Checks the sign-in: whether the daemon can get a token and the service accepts it. */
function signInFindings({ client }: Service): Promise<readonly Finding[]> {
  return guarded('sign-in', 'check KAIROS_TOKEN, or KAIROS_USERNAME, KAIROS_PASSWORD and KAIROS_TOTP_SECRET', async () => {
    const accounts = await client.accounts();
    return [ok('sign-in', `signed in; the service shows ${accounts.length} accounts`)];
  });
}

async function probeFindings(
  { baseUrl, settings }: Service,
  { timers, serviceClock, onRefusal }: ServiceTime & { readonly onRefusal: (said: string) => void },
): Promise<readonly Finding[]> {
  const probed = await probeOrder({ baseUrl, service: settings, timers, serviceClock });
  if (probed.status >= 400 && probed.status < 500) onRefusal(probed.said);
  return [judged(probed, settings.paths.orders)];
}

/** Judges the answer to an order on a quote that never existed: how it fails shows which checks it passed. */
function judged({ status, said, roundTripMs }: ProbeAnswer, path: string): Finding {
  const answer = `${status} after ${Math.round(roundTripMs)} ms${said === '' ? '' : `: ${said}`}`;
  if (status === 401 && /(INVALID_|API-)TIMESTAMP/i.test(said)) {
    return fail(
      'probe',
      answer,
      'the clocks of this machine and of the service differ: fix NTP here, or where the service runs if that is yours',
    );
  }
  if (status === 401)
    return fail('probe', answer, 'key, secret or time is wrong: check KAIROS_API_KEY, KAIROS_API_SECRET and the clock above');
  if (status === 403) return fail('probe', answer, 'the key may not order for this user: check KAIROS_USER_ID');
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const isOfQuote = isRefusal && /quote/i.test(said);
  if (status === 400 && !isOfQuote && /user/i.test(said))
    return fail('probe', answer, 'the service does not know this user: check KAIROS_USER_ID');
  if (!isOfQuote && (status === 404 || status === 405)) {
    return fail(
      'probe',
      answer,
      `the service takes no orders at this path: check service.brand, which stands in it, and service.paths.orders (${path})`,
    );
  }
  if (!isOfQuote && (status === 400 || status === 415))
    return warn('probe', answer, 'the service may refuse every order so: check service.sides, or ask its operator');
  if (isRefusal)
    return ok(
      'probe',
      `signature, key and user are accepted; the quote that never was is refused with ${status} after ${Math.round(roundTripMs)} ms`,
    );
  if (status >= 200 && status < 300) {
    return fail(
      'probe',
      `an order for a quote that never was is answered ${answer}`,
      'this is no service that Kairos knows: do not trade on it',
    );
  }
  return warn('probe', answer, 'the service is in trouble or asks to wait: try again in a minute');
}

/** Checks `service.capabilities`: whether the service answers, and whether the ledger agrees with the account. */
export async function capabilityFindings(settings: Settings, { timers, serviceClock }: ServiceTime): Promise<readonly Finding[]> {
  const { service, journal } = settings;
  const { baseUrl, capabilities } = service;
  // A venue started for the doctor has neither orders nor money.
  if (baseUrl === null) return [];
  const asked = capabilities.includes('order-query')
    ? await guarded('order-query', mendOfQuery, async () => {
        const query = new BrokerQuery({ baseUrl, service, timers, serviceClock });
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
  const balances = await guarded('balances', mendOfQuery, async () => {
    if (!existsSync(journal.path)) {
      const { size } = await accountBalances(settings, timers, serviceClock);
      return [ok('balances', `the account has ${size} currencies; there is no ledger yet`)];
    }
    const compared = await compareAtRest(settings, undefined, timers, serviceClock).catch(notAtRest);
    if (typeof compared === 'string') return [warn('balances', compared, 'run it again')];
    const wrong = compared.differences.filter(({ correction }) => !correction.isZero());
    if (wrong.length === 0) return [ok('balances', 'the ledger agrees with the account')];
    const words = wrong.map(({ currency, ledger, actual }) => `${currency} ${actual}, and the ledger ${ledger}`);
    return [warn('balances', `the account has ${words.join('; ')}`, 'settle unknown orders, then run `kairos reconcile`')];
  });
  return [...asked, ...balances];
}

/** Why books that do not come to rest are not compared; anything else is thrown. */
function notAtRest(error: unknown): string {
  if (error instanceof KairosError && error.code === 'ACT_REFUSED') return error.message;
  throw error;
}
