import type { PointName } from '#adapters/service-client/dialect/dialect.ts';
import { feedReadings } from '#adapters/service-client/hearing/feed-readings.ts';
import { type NamedHeard, namedOf, type ObservedReading, unheardOf } from '#adapters/service-client/hearing/heard.ts';
import { type LaneSummary, summaryOf } from '#adapters/service-client/hearing/lane-summary.ts';
import { listReadings } from '#adapters/service-client/hearing/list-readings.ts';
import { type Ear, listen } from '#adapters/service-client/hearing/listen.ts';
import { BrokerQuery } from '#adapters/service-client/orders/broker-query.ts';
import { wireCode } from '#adapters/service-client/spelling.ts';
import { lanesOf } from '#assembly/assemble.ts';
import type { Service } from '#assembly/service.ts';
import type { Settings } from '#config/settings.ts';
import { type Lane, laneFor } from '#domain/lane.ts';
import { type Millis, productCode } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** A service's dialect, as far as it shows without trading. */
export interface ServiceDialect {
  readonly seconds: number;
  readonly lanes: readonly LaneSummary[];
  readonly heard: readonly NamedHeard[];
  readonly unheard: readonly PointName[];
  /** Settings to paste, in the form of `--set`; empty if none are needed. */
  readonly settings: Readonly<Record<string, string>>;
  /** True if the service was asked for what it offers beyond the specification, which needs the API key. */
  readonly askedForMore: boolean;
}

interface FirstInspectionOptions {
  readonly settings: Settings;
  readonly service: Service;
  readonly products: readonly Product[];
  readonly timers: Timers;
  /** Stamps signatures. */
  readonly serviceClock: ServiceClock;
  readonly ms: Millis;
}

/** Listens on each configured lane, reads the lists, and names the dialect. Sends no order. Rejects with a KairosError if nothing answers. */
export async function firstLook(options: FirstInspectionOptions): Promise<ServiceDialect> {
  const { settings, service, products, timers, ms } = options;
  const { baseUrl } = service;
  const wire = { baseUrl, service: service.settings, timers };
  const listening = listen({ ...wire, ears: earsOf(settings, products), ms });
  const lists = await listReadings(wire);
  const offered = await offeredBy(options);
  const all = await listening;
  const heard: readonly NamedHeard[] = namedOf([...feedReadings(all), ...lists]);
  const said = heard.filter(({ isUnusual, client }) => isUnusual && client === 'set').map(({ set }) => set);
  return {
    seconds: ms / 1000,
    lanes: all.lanes.filter(({ quoteType }) => quoteType === 'TRADING').map((lane) => summaryOf(lane)),
    heard,
    unheard: unheardOf(heard),
    settings: withoutThose(settings, Object.assign({}, ...said, capabilitiesToPaste(settings, offered))),
    askedForMore: offered !== null,
  };
}

/** The dialect with the readings of a probe order. */
export function withMore(dialect: ServiceDialect, more: readonly ObservedReading[]): ServiceDialect {
  const heard = [...dialect.heard, ...namedOf(more)];
  return { ...dialect, heard, unheard: unheardOf(heard) };
}

/** The configured lanes, and a full quote if a second connection is allowed; without strategies the first product. */
function earsOf(settings: Settings, products: readonly Product[]): readonly Ear[] {
  const { lanes } = settings;
  const [first] = products;
  const spelled = new Map<string, string>(products.map((product) => [product.code, wireCode(product)]));
  const standing = lanesOf(settings, { ...lanes, reserve: 0 });
  const chosen: readonly Lane[] = standing.length > 0 || !first ? standing : [leastLane(first)];
  const ears = chosen.map(({ product, amount }): Ear => ({ quoteType: 'TRADING', product: spelled.get(product) ?? product, amount }));
  const [one] = ears;
  return one && ears.length < lanes.max ? [...ears, { quoteType: 'FULL', product: one.product, amount: null }] : ears;
}

function leastLane({ code, minNotionalValue, minSize }: Product): Lane {
  return laneFor(productCode(code), minNotionalValue.isZero() ? { base: minSize } : { quote: minNotionalValue.times(2) });
}

type Capability = Settings['service']['capabilities'][number];

/** What the service offers beyond the specification; null without a key to ask with. */
async function offeredBy({ service, timers, serviceClock }: FirstInspectionOptions): Promise<readonly Capability[] | null> {
  const { baseUrl, settings, embedded } = service;
  const { apiKey, apiSecret, userId } = settings;
  // Each start has a new embedded venue.
  if (embedded || apiKey === null || apiSecret === null || userId === null) return null;
  const query = new BrokerQuery({ baseUrl, service: settings, timers, serviceClock });
  const isTaken = (asked: Promise<unknown>): Promise<boolean> =>
    asked.then(
      () => true,
      // Most services offer neither.
      () => false,
    );
  try {
    const balances = await isTaken(query.balances());
    const orders = await isTaken(query.order(timers.uuid()));
    return [...(orders ? (['order-query'] as const) : []), ...(balances ? (['balances'] as const) : [])];
  } finally {
    await query.close();
  }
}

function capabilitiesToPaste({ service }: Settings, offered: readonly Capability[] | null): Readonly<Record<string, string>> {
  const more = (offered ?? []).filter((one) => !service.capabilities.includes(one));
  return more.length === 0 ? {} : { 'service.capabilities': JSON.stringify([...service.capabilities, ...more]) };
}

/** Leaves out what the configuration already says. */
function withoutThose({ clock, lanes }: Settings, settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const has: Readonly<Record<string, string>> = {
    'clock.source': clock.source,
    'lanes.max': String(lanes.max),
    'lanes.reserve': String(lanes.reserve),
  };
  return Object.fromEntries(Object.entries(settings).filter(([key, value]) => has[key] !== value));
}

/** Quotes per second below which a finding warns (spec 2.8: two). */
const QUOTES_A_SECOND = 1;

/** Findings of the dialect that stop or may stop trading. */
export function dialectFindings({ lanes, heard, settings }: ServiceDialect): readonly Finding[] {
  const feeds = lanes.map((lane): Finding => {
    const { title, quotes, perSecond, leftMs, unread, refusals, failures } = lane;
    const [worst] = unread;
    const what = `${title}: ${quotes} quotes, ${perSecond} a second${leftMs === null ? '' : `, valid for ${leftMs} ms as they come`}`;
    if (worst)
      return fail(
        'feed',
        `${what}; ${worst.count} that cannot be read: ${worst.why}`,
        'Kairos cannot rely on what the service sends: tell its operator',
      );
    if (quotes === 0) {
      const why = refusals[0] ?? failures[0] ?? 'nothing was said';
      return fail(
        'feed',
        `${title}: no quote: ${why}`,
        'correct product and amount (`kairos products`), service.brand or service.paths.quotes',
      );
    }
    if (lane.anonymous > 0) return fail('feed', `${what}; without an id, so no order can name them`, 'set KAIROS_USER_ID');
    const tooFew = perSecond < QUOTES_A_SECOND;
    return tooFew ? warn('feed', what, 'the specification says two: orders may find no fresh quote') : ok('feed', what);
  });
  const doubts = heard
    .filter(({ client, isUnusual }) => isUnusual && client === 'stands')
    .map(({ point, open, shown, does }) =>
      warn('dialect', `${point} (${open}): ${shown}: ${does}`, MEND_OF[point] ?? 'it may stop orders: watch the first ones'),
    );
  const needed = Object.keys(settings);
  const paste = needed.length === 0 ? [] : [warn('dialect', `the service needs ${needed.join(', ')}`, 'paste the settings below')];
  return [...feeds, ...doubts, ...paste];
}

const MEND_OF: Partial<Record<PointName, string>> = {
  quoteFees: 'fees are not what the quote says: `kairos rehearse PRODUCT` shows what is taken',
  quoteSize: 'the size bought is not the size asked for: `kairos rehearse PRODUCT` shows what is taken',
  validity: 'ask the operator in which zone validUntil is: no order leaves on such a quote',
  acks: 'without an ACK nothing is quoted to strategies: ask the operator',
  figures: 'such figures are not read: ask the operator for plain numbers',
};
