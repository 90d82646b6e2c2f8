import { rmSync } from 'node:fs';
import { isRehearsed } from '#adapters/journal/acts.ts';
import { type ControlFiles, controlFiles } from '#adapters/journal/control-files.ts';
import { journalFiles } from '#adapters/journal/files.ts';
import { instanceOf } from '#adapters/journal/instance.ts';
import { Lease } from '#adapters/journal/lease.ts';
import { type JournalOptions, type RecoveryState, SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { NullLog, RunLog } from '#adapters/recording/run-log.ts';
import { Backoff } from '#adapters/service-client/rest/backoff.ts';
import type { Thread } from '#adapters/threads/thread.ts';
import { newRunId } from '#adapters/time/ids.ts';
import { bookOf, checkProducts, type LoadedStrategy, loadStrategies, productText, wantedBy } from '#assembly/assemble.ts';
import { listChange, type ProductNeeds, productNeeds } from '#assembly/changed-products.ts';
import { openService, quotedProducts, type Service } from '#assembly/service.ts';
import { type Stall, startFacts } from '#assembly/start-facts.ts';
import { budgetsAtStart } from '#assembly/start-faults.ts';
import type { LoadedConfig } from '#config/load.ts';
import { recordedSettings } from '#config/recorded.ts';
import { publishedIn } from '#daemon/operations/ops-files.ts';
import { KairosError } from '#domain/errors.ts';
import type { InboxEvent, ProductMisfit, WarmUpFeed } from '#domain/event.ts';
import { modeFacts } from '#domain/mode.ts';
import type { Millis, RunId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import { UNREHEARSED_AUTO } from '#domain/unrehearsed.ts';
import type { Notice } from '#ports/notice.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { RunMetrics } from '#server/metrics/run-metrics.ts';
import { findNewest, NewestBackup } from './backups.ts';
import { withLastMarks } from './last-marks.ts';
import { underWatch } from './load-watch.ts';
import { type EnableCommand, mendEnables, mendedStrategies } from './mended-strategies.ts';
import { withOwnStates } from './own-states.ts';
import { PresentSilences } from './present-silences.ts';
import { rotateWhenDue } from './rotation.ts';
import type { SourceChanges } from './strategy-watch.ts';
import { readStall, type WatchdogThread } from './watchdog.ts';

/** Input of the opening of a run. */
export interface OpeningOptions {
  readonly config: LoadedConfig;
  /** Folders of strategy modules: the user's, and the package's. */
  readonly strategyFolders: { readonly cwd: string; readonly packaged: string };
  readonly timers: Timers;
  /** Names the place of a journal; `instanceOf` without it. */
  readonly instanceOf?: (journal: string, at: Millis) => string;
  readonly notice?: Notice;
  readonly beside?: { readonly findNewest: typeof findNewest };
  /** Whether this process begins a new run with every change of a strategy's file. */
  readonly watch?: boolean;
  /** What a run takes over from the previous one in this process. */
  readonly taken?: PreviousRun;
}

/** What outlives a run, and is the next one's from then on. */
export interface PreviousRun {
  /** Stays open. */
  readonly service: Service;
  /** Loaded and checked. */
  readonly strategies: readonly LoadedStrategy[];
  /** As the service listed them last, so that the next run begins although it is away; absent: to be asked for. */
  readonly products?: readonly Product[];
  readonly changes?: SourceChanges;
  /** Port of its control server; null: none. */
  readonly opsPort: number | null;
}

/** Everything that is opened before the parts are joined. */
export interface RunResources {
  readonly run: RunId;
  readonly book: string;
  readonly strategies: readonly LoadedStrategy[];
  readonly service: Service;
  readonly products: readonly Product[];
  /** Strategies that the list of products no longer fits, and why. */
  readonly misfits: readonly ProductMisfit[];
  readonly store: SqliteJournal;
  readonly log: RunLog | NullLog;
  readonly recovered: RecoveryState;
  /** The one place where the journal is. */
  readonly instance: string;
  readonly files: ControlFiles;
  readonly newestBackup: NewestBackup;
  /** Strategies that their own error had disabled and whose source has changed. */
  readonly mended: readonly EnableCommand[];
  /** True where a changed source enables what its own error disabled. */
  readonly mendEnables: boolean;
  /** Recorded quotes for strategies with a warm-up. */
  readonly warmUp: WarmUpFeed | undefined;
  /** The run's metrics for Prometheus. */
  readonly metrics: RunMetrics;
  /** Why there is no order now. */
  readonly silences: PresentSilences;
  /** Why the watchdog ended the previous process, if it did. */
  readonly stall: Stall | undefined;
  /** The thread that watched the loading of strategies; undefined where none were loaded. */
  readonly watching: Thread<WatchdogThread> | undefined;
  /** Port of the run that this one takes over from; null for none. */
  readonly formerPort: number | null;
}

/** How long a start waits for the service's products, in milliseconds; then the process ends and its manager restarts it. */
const PATIENCE_MS = 60_000;
const MAX_TOLD = 5;

/** Opens everything that can fail, cheapest first, and registers its undoing. Rejects with a KairosError. */
export async function openAll(options: OpeningOptions, undo: (() => Promise<void> | void)[]): Promise<RunResources> {
  const { config, timers, taken, notice = () => {} } = options;
  const { settings } = config;
  const { dir } = settings.recording;
  const book = bookOf(config);
  const files = controlFiles(settings.journal.path);
  const stall = readStall(files.stall);
  const { strategies, watching } = taken?.strategies ? { strategies: taken.strategies } : await loadUnderWatch(options);
  undo.push(() => watching?.stop());
  let log: RunLog | NullLog = new NullLog();
  await rotateWhenDue(settings.journal, { book, now: timers.wallMs(), notice });
  const store = openStore({ path: settings.journal.path, book, beforeCommit: () => log.flush(), now: () => timers.wallMs() });
  undo.push(() => store.close());
  if (modeFacts(config.mode).isRealMoney && settings.trading.arming.arm === 'auto' && !isRehearsed(settings.journal.path))
    throw new KairosError('ACT_REFUSED', UNREHEARSED_AUTO);
  store.reserveDiskSpace();
  const instance = (options.instanceOf ?? instanceOf)(settings.journal.path, timers.wallMs());
  const opening = taken
    ? Promise.resolve(taken.service)
    : openService(settings, timers, { isVenue: modeFacts(config.mode).isForTrials, notice });
  // What failed to open needs no closing; its error is reported below.
  undo.push(() =>
    opening.then(
      (service) => service.close(),
      () => {},
    ),
  );
  const run = newRunId(timers);
  const service = await opening;
  const needs = { ...productNeeds(settings), before: needsBefore(store), timers, notice };
  const { products, misfits } = taken?.products ? { products: taken.products, misfits: [] } : await startProducts(service, needs);
  const at = timers.wallMs();
  const past = withOwnStates(store.recover(at), { strategies: settings.strategies, notice });
  const recovered = withLastMarks(past, { journal: settings.journal.path, recordings: dir, notice });
  for (const { currency, text } of budgetsAtStart(settings)) if (!(currency in recovered.risk.flows)) notice('warn', text);
  const mended = mendedStrategies({ mode: config.mode, latches: recovered.latches, strategies, changes: taken?.changes });
  const warmUp = await warmUpOf(strategies, { dir, book, now: at, notice }, settings.trading.warmUpMaxGapMs);
  if (settings.recording.enabled) log = RunLog.create({ dir, run, book });
  undo.push(() => {
    log.close();
    // A supervisor may try every other second, all day.
    if (log instanceof RunLog && store.lastRun?.run_id !== run) rmSync(log.folder, { recursive: true, force: true });
  });
  return {
    run,
    book,
    strategies,
    service,
    products,
    misfits,
    store,
    log,
    recovered,
    instance,
    files,
    newestBackup: new NewestBackup({ ...settings.journal, instance }, options.beside?.findNewest ?? findNewest),
    mended,
    mendEnables: mendEnables(config.mode, options.watch ?? false),
    warmUp,
    metrics: new RunMetrics(),
    silences: new PresentSilences({ run, settings, strategies, latches: recovered.latches }),
    stall,
    watching,
    formerPort: taken?.opsPort ?? null,
  };
}

/** Throws JOURNAL_LEASED where a daemon that listens has the journal, and JOURNAL_BUSY where a program has it that ends by itself. */
function openStore(options: JournalOptions): SqliteJournal {
  try {
    return SqliteJournal.open(options);
  } catch (error) {
    if (!(error instanceof KairosError) || error.code !== 'JOURNAL_LEASED') throw error;
    const holder = Lease.holder(journalFiles(options.path));
    if (holder !== null && publishedIn(controlFiles(options.path).ops)?.pid === holder.pid) throw error;
    const text = `journal ${options.path} is held by process ${holder?.pid ?? 'of another user'}, a command or a daemon that starts: try again`;
    throw new KairosError('JOURNAL_BUSY', text);
  }
}

/** The quotes of the warm-up. The code that reads recordings is loaded only if a strategy has a warm-up. */
async function warmUpOf(
  strategies: readonly LoadedStrategy[],
  { notice, ...place }: { readonly dir: string; readonly book: string; readonly now: Millis; readonly notice: Notice },
  maxGapMs: Millis | null,
): Promise<WarmUpFeed | undefined> {
  if (strategies.every(({ strategy }) => strategy.definition.warmup === undefined)) return undefined;
  const { recordedPast, warmUpFeed } = await import('#assembly/warm-ups.ts');
  const told = new Set<string>();
  const tell = (line: string): void => void told.add(line);
  const feed = warmUpFeed(strategies, { newest: recordedPast({ ...place, tell }), maxGapMs, now: place.now, tell });
  for (const line of told) notice('warn', line);
  return feed;
}

/** Strategies, and the thread that watched as they were loaded. */
interface LoadedUnderWatch {
  readonly strategies: readonly LoadedStrategy[];
  readonly watching?: Thread<WatchdogThread>;
}

/** Loads the modules of all strategies. Throws a KairosError; ends the process if a module's code does not end (F69). */
export async function loadUnderWatch({ config, strategyFolders, timers }: OpeningOptions): Promise<LoadedUnderWatch> {
  const { settings } = config;
  const files = controlFiles(settings.journal.path);
  const ids = settings.strategies.map(({ id }) => id);
  const of = { files, journal: settings.journal.path, stall: readStall(files.stall), ids, timers };
  const { loaded, thread } = await underWatch((loading) => loadStrategies(settings, strategyFolders, loading), of);
  return { strategies: loaded, watching: thread };
}

/** The first events of a run, in their order. */
export function firstEvents(opened: RunResources, config: LoadedConfig): readonly InboxEvent[] {
  return [
    { kind: 'start', facts: startFacts({ ...opened, config }) },
    ...opened.mended.map((command): InboxEvent => ({ kind: 'command', command })),
    { kind: 'products', products: opened.products.map(productText) },
    ...(opened.warmUp ? [{ kind: 'warmup', feed: opened.warmUp } as const] : []),
  ];
}

/** What the last run needed; nothing if there was none that can be read, so that this start is as strict as a first one. */
function needsBefore({ lastRun }: SqliteJournal): ProductNeeds {
  try {
    if (lastRun) return productNeeds(recordedSettings(lastRun.run_id, lastRun.config_json));
  } catch {
    // Another version may have written something else.
  }
  return { strategies: [], rates: [] };
}

/**
 * The products at the start of a run, checked against the strategies, and the strategies that fitted them in the last run and do so no longer.
 * An empty list is requested again with back-off, since a starting service has none yet. An unreadable product is not tradable, which is
 * reported for it alone. Rejects with a KairosError.
 */
async function startProducts(
  service: Pick<Service, 'client' | 'leftOut'>,
  {
    strategies,
    rates,
    before,
    timers,
    notice,
  }: ProductNeeds & { readonly before: ProductNeeds; readonly timers: Timers; readonly notice: Notice },
): Promise<Pick<RunResources, 'products' | 'misfits'>> {
  const backoff = new Backoff(timers, 'products');
  const endMs = timers.monotonicMs() + PATIENCE_MS;
  for (let tries = 1; ; tries += 1) {
    backoff.attempt();
    const products = await quotedProducts(service.client);
    if (products.length > 0 || strategies.length + rates.length === 0) {
      tellLeftOut(service.leftOut, notice);
      const wanted = readable({ strategies, rates }, service.leftOut, notice);
      const changeOf = listChange(before, products);
      const misfits = wanted.strategies.flatMap((one) => {
        const why = changeOf(wantedBy(one));
        return why === undefined ? [] : [{ strategy: one.id, why }];
      });
      const rest = {
        strategies: wanted.strategies.filter(({ id }) => misfits.every(({ strategy }) => strategy !== id)),
        rates: wanted.rates.filter((rate) => {
          const why = changeOf([rate]);
          if (why !== undefined) notice('error', `account.rates: ${rate.product} gives no rate: ${why}`);
          return why === undefined;
        }),
      };
      checkProducts(rest, products, service.leftOut);
      return { products, misfits };
    }
    const said = `the service lists no products${service.leftOut.size > 0 ? ' that can be read' : ''} (exchangeCode=VB)`;
    if (timers.monotonicMs() >= endMs) {
      tellLeftOut(service.leftOut, notice);
      throw new KairosError('SERVICE_UNREADABLE', `${said}, for ${PATIENCE_MS / 1000} s; check service.baseUrl and service.paths.products`);
    }
    if (tries === 1) notice('warn', `${said}; asked again for ${PATIENCE_MS / 1000} s`);
    await pause(timers, 250 + backoff.afterFailure(false));
  }
}

/** An unreadable product stops only its own strategies and rates; if there are no other strategies, it is an error. */
function readable({ strategies, rates }: ProductNeeds, leftOut: ReadonlyMap<string, string>, notice: Notice): ProductNeeds {
  const whys = new Map([...leftOut].map(([what, why]) => [what.toLowerCase(), why]));
  const unread = ({ product }: { readonly product: string }): string | undefined => whys.get(`product ${product}`);
  for (const rate of rates) {
    const why = unread(rate);
    if (why !== undefined) notice('error', `account.rates: ${rate.product} gives no rate: the service lists it, but ${why}`);
  }
  const read = rates.filter((rate) => unread(rate) === undefined);
  const good = strategies.filter((strategy) => unread(strategy) === undefined);
  if (good.length === 0) return { strategies, rates: read };
  for (const strategy of strategies) {
    const why = unread(strategy);
    if (why !== undefined) notice('error', `strategy ${strategy.id} does not trade: the service lists ${strategy.product}, but ${why}`);
  }
  return { strategies: good, rates: read };
}

function tellLeftOut(leftOut: ReadonlyMap<string, string>, notice: Notice): void {
  for (const [what, why] of [...leftOut].slice(0, MAX_TOLD)) notice('warn', `${what} is left out and cannot be traded: ${why}`);
  if (leftOut.size > MAX_TOLD) notice('warn', `${leftOut.size - MAX_TOLD} more are left out: npx kairos doctor`);
}
