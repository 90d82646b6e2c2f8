import { eagerFolder, ordersOf } from '../support/eager-daemon.ts';
import { EventClient } from '../support/event-client.ts';
import { JournalJudge } from '../support/journal-judge.ts';
import { startKairos } from '../support/process.ts';
import { lookFor } from '../support/wait-for.ts';
import { driftOf, type Held, hasMoreTimers, heldBy, heldWithin, MAX_MORE, metricsOf, middle } from './watched.ts';

/** One load on a real daemon with its venue. */
export interface Load {
  readonly number: string;
  readonly what: string;
  /** Lanes at `quotesPerSecond` each. */
  readonly lanes: number;
  readonly quotesPerSecond: number;
  /** Settings on top. */
  readonly set?: readonly string[];
  /** Pages that listen, and how many of them stop reading. */
  readonly pages?: { readonly count: number; readonly stalled: number; readonly comeAndGo?: true };
  /** The venue is a process of its own, so that the daemon's memory is its own. */
  readonly apart?: true;
  /** Megabytes that the daemon may take. */
  readonly mostMb?: number;
  /** One strategy that orders at each quote, in place of one that flips coins on each lane. */
  readonly orders?: boolean;
}

export const LOADS: readonly Load[] = [
  { number: 'L1', what: '200 lanes at two quotes a second', lanes: 200, quotesPerSecond: 2 },
  { number: 'L2', what: '200 lanes at four quotes a second', lanes: 200, quotesPerSecond: 4 },
  {
    number: 'L3',
    what: 'an order at each of ten quotes a second, five of them a second passed',
    lanes: 1,
    quotesPerSecond: 10,
    orders: true,
    set: ['risk.maxOrdersPerMinute=300', 'risk.maxOrdersPerMinuteOfStrategy=300', 'risk.maxOrdersPerMinuteOfProduct=300'],
  },
  { number: 'L6', what: 'twenty pages, one of which does not read', lanes: 30, quotesPerSecond: 2, pages: { count: 20, stalled: 1 } },
  {
    number: 'L7',
    what: 'lanes that are dropped and connect again all the time',
    lanes: 20,
    quotesPerSecond: 5,
    set: ['venue.faults=[dropped-feed=5%]'],
  },
  {
    number: 'lanes',
    what: '1,000 lanes at one quote a second',
    lanes: 1_000,
    quotesPerSecond: 1,
    set: ['lanes.max=1002'],
    apart: true,
    mostMb: 300,
  },
  {
    number: 'soak',
    what: '200 lanes, some of which are dropped, with pages that come and go',
    lanes: 200,
    quotesPerSecond: 2,
    set: ['venue.faults=[dropped-feed=0.2%]'],
    pages: { count: 10, stalled: 1, comeAndGo: true },
  },
];

/** What came of it: figures that are counts, ratios or drifts, and what is wrong. */
export interface Loaded {
  readonly number: string;
  readonly what: string;
  readonly seconds: number;
  readonly figures: Readonly<Record<string, number>>;
  /** Broken invariants, and what did not stay flat; empty where everything held. */
  readonly faults: readonly string[];
}

/** Above a third more memory it was no load that was borne. */
const MAX_DRIFT = 1.35;
const MAX_OPENING_S = 60;
/** Pages that come and go are all new after so long. */
const TURN_S = 3;

/** Puts a load on a daemon for so many seconds, after `warmSeconds` of it that do not count, and stops it as a person would. */
export async function bear(
  load: Load,
  { seconds, warmSeconds }: { readonly seconds: number; readonly warmSeconds: number },
): Promise<Loaded> {
  const flips = Array.from(
    { length: load.orders ? 0 : load.lanes },
    (_, n) =>
      `  - { id: flip-${n}, use: coin-flip, product: btcusd, amount: { base: ${(n + 1) / 1000} }, params: { seed: ${n}, everySeconds: 30 } }`,
  );
  const folder = eagerFolder(`load-${load.number}`);
  const strategies = load.orders ? [] : ['--set', `strategies=[${flips.map((line) => line.trim().slice(2)).join(', ')}]`];
  const set = [`venue.quotesPerSecond=${load.quotesPerSecond}`, 'lanes.opensPerSecond=100', ...(load.set ?? [])];
  const settings = set.flatMap((one) => ['--set', one]);
  const venue = load.apart && startKairos(['venue', '--port', '0', '--json', ...settings], { cwd: folder.path });
  const url = venue && (await venue.says(/"url": *"([^"]+)"/))[1];
  const at = url === undefined ? [] : ['--set', `service.baseUrl=${url}`];
  const daemon = startKairos(['run', ...strategies, ...settings, ...at], { cwd: folder.path });
  try {
    const [, page = ''] = await daemon.says(/page +(http:\/\/[\d.:]+)/);
    await daemon.says(/PAPER/);
    const { count = 0, stalled = 0, comeAndGo = false } = load.pages ?? {};
    let pages: readonly EventClient[] = [];
    const turnPages = (): void => {
      for (const client of pages) client.close();
      pages = Array.from({ length: count }, () => new EventClient(`${page}/api/events`));
      for (const client of pages.slice(0, stalled)) client.stall();
    };
    turnPages();
    await seen(warmSeconds, () => {});
    // A machine that others use as well takes longer to open a thousand lanes.
    for (let waited = 0; waited < MAX_OPENING_S; waited += 1) {
      if (((await metricsOf(page)).get('kairos_lane_subscriptions_total') ?? 0) >= load.lanes) break;
      await seen(1, () => {});
    }
    const orders = (): number => Object.values(ordersOf(folder)).reduce((sum, count) => sum + count, 0);
    await lookFor(() => orders() > 0 || undefined, { withinMs: MAX_OPENING_S * 1_000, goOn: () => daemon.isRunning });
    const begun = await metricsOf(page);
    // One look may fall between the end of connections and the engine's hearing of it.
    const looks = [await heldWithin(page), await heldWithin(page)] as const;
    const within = looks[1].timers > looks[0].timers ? looks[1] : looks[0];
    const held: Held[] = [];
    const lags: number[] = [];
    await seen(seconds, async (second) => {
      if (comeAndGo && second % TURN_S === TURN_S - 1) turnPages();
      held.push(heldBy(daemon.pid));
      lags.push((await metricsOf(page)).get('kairos_event_loop_lag_seconds') ?? Number.NaN);
    });
    const ended = await metricsOf(page);
    for (const client of pages) client.close();
    await seen(2, () => {});
    const after = heldBy(daemon.pid);
    const left = await heldWithin(page);
    const first = held.slice(0, Math.max(1, held.length / 3));
    const most = (figure: 'descriptors' | 'threads'): number => Math.max(...first.map((one) => one[figure]));
    const more = (name: string): number => (ended.get(name) ?? 0) - (begun.get(name) ?? 0);
    const figures = {
      quotes: more('kairos_quotes_total'),
      'quotes a second of those due': more('kairos_quotes_total') / (load.lanes * load.quotesPerSecond * seconds),
      decisions: more('kairos_decisions_total'),
      orders: orders(),
      'lanes that came back': more('kairos_lane_subscriptions_total'),
      'loop lag at the 99th percentile, ms': middle(lags) * 1000,
      'memory, last third over first': driftOf(held.map(({ rssMb }) => rssMb)),
      'memory, MB': after.rssMb,
      'descriptors more than after warming up': after.descriptors - most('descriptors'),
      'threads more than after warming up': after.threads - most('threads'),
      'timers more than after warming up': left.timers - within.timers,
      'handles more than after warming up': left.handles - within.handles,
      'listeners more than after warming up': left.listeners - within.listeners,
    };
    daemon.signal('SIGTERM');
    const { code, stderr } = await daemon.ended;
    const judge = new JournalJudge(folder.journal);
    const faults = [
      ...(code === 0 ? [] : [`it ended with ${code}: ${stderr.slice(-300)}`]),
      ...judge.look(),
      ...judge.wholeness(),
      ...(figures.quotes > 0 ? [] : ['no quote came']),
      ...(figures['memory, last third over first'] <= MAX_DRIFT ? [] : ['its memory grows']),
      ...(figures['descriptors more than after warming up'] <= MAX_MORE ? [] : ['its descriptors grow']),
      ...(figures['threads more than after warming up'] <= 2 ? [] : ['its threads grow']),
      ...(hasMoreTimers(within, left, load.lanes) ? ['its timers grow'] : []),
      ...(figures['handles more than after warming up'] <= MAX_MORE ? [] : ['its handles grow']),
      ...(figures['listeners more than after warming up'] <= 0 ? [] : ['its listeners grow']),
      ...(load.mostMb === undefined || figures['memory, MB'] <= load.mostMb ? [] : [`it takes more than ${load.mostMb} MB`]),
    ];
    return { number: load.number, what: load.what, seconds, figures, faults };
  } finally {
    await daemon.kill();
    await venue?.kill();
    folder.remove();
  }
}

/** Looks once a second. */
async function seen(seconds: number, look: (second: number) => void | Promise<void>): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await look(second);
  }
}

/** The report of one load, as it is printed and kept. */
export function reportOf({ number, what, seconds, figures, faults }: Loaded): string {
  const rounded = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(3));
  const lines = Object.entries(figures).map(([name, value]) => `  ${name.padEnd(42)} ${rounded(value)}`);
  return [
    `${number}: ${what}, ${seconds} s: ${faults.length === 0 ? 'borne' : 'NOT BORNE'}`,
    ...lines,
    ...faults.map((fault) => `  ! ${fault}`),
  ].join('\n');
}
