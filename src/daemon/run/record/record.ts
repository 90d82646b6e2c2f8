import { openRun } from '#adapters/recording/open-run.ts';
import { RunLog } from '#adapters/recording/run-log.ts';
import { sealRun } from '#adapters/recording/seal.ts';
import { SealedRun } from '#adapters/recording/sealed-run.ts';
import { WireFeed } from '#adapters/service-client/quotes/feed.ts';
import { newRunId } from '#adapters/time/ids.ts';
import { SystemClock } from '#adapters/time/system-clock.ts';
import { amountFault, productText } from '#assembly/assemble.ts';
import { openService, quotedProducts } from '#assembly/service.ts';
import type { Settings } from '#config/settings.ts';
import { Inbox } from '#core/engine/inbox.ts';
import { TimeKeeping } from '#daemon/run/time-keeping.ts';
import { KairosError } from '#domain/errors.ts';
import type { NumberedEvent } from '#domain/event.ts';
import { freshnessFrom } from '#domain/freshness.ts';
import type { Lane, ShownInput } from '#domain/lane.ts';
import { type Mode, modeFacts } from '#domain/mode.ts';
import type { Millis, ProductCode } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import { limitedNotice, type Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { keepRecordings } from './keep-recordings.ts';

/** Longest time until the log is written, in milliseconds. */
const FLUSH_MS = 250;

/** Book of recordings without a journal. */
const BOOK = 'recorded';

interface RecordOptions {
  readonly mode: Mode;
  readonly settings: Settings;
  readonly lanes: readonly Lane[];
  /** Display inputs of strategies. */
  readonly shown: readonly ShownInput[];
  readonly timers: Timers;
  readonly notice: Notice;
  /** Called once if the recording cannot go on. */
  readonly onFault: (error: unknown) => void;
}

interface Recording {
  readonly run: string;
  /** Folder of the recording. */
  readonly path: string;
  readonly baseUrl: string;
  /** Quotes received so far. */
  quotes(): number;
  /** Ends and seals the recording; returns its size in bytes. */
  stop(): Promise<number>;
}

/** Counts the quotes of a log, with those that newer ones replaced before their turn, as on a busy machine. */
class CountedQuotes implements InboxLog {
  quotes = 0;
  private readonly log: InboxLog;

  constructor(log: InboxLog) {
    this.log = log;
  }

  append(event: NumberedEvent): void {
    if (event.event.kind === 'quote') this.quotes += 1;
    this.log.append(event);
  }

  conflated(at: Millis, quote: Quote): void {
    this.quotes += 1;
    this.log.conflated(at, quote);
  }

  flush(): void {
    this.log.flush();
  }
}

/** Runs work until some of it throws, which is told once; none after that. */
function untilFault(onFault: (error: unknown) => void): (work: () => void) => void {
  let failed = false;
  return (work) => {
    if (failed) return;
    try {
      work();
    } catch (error) {
      failed = true;
      onFault(error);
    }
  };
}

/**
 * Records the quotes of lanes and display inputs as a run does, without strategies and without a journal. Throws a
 * KairosError if service, products or folder do not allow it, and leaves nothing running.
 */
export async function startRecording({ mode, settings, lanes, shown, timers, notice, onFault }: RecordOptions): Promise<Recording> {
  // A recording needs nothing that a venue keeps, and leaves the file to the daemon.
  const service = await openService({ ...settings, venue: { ...settings.venue, database: ':memory:' } }, timers, { notice });
  try {
    const products = await quotedProducts(service.client);
    checkLanes(lanes, products);
    for (const { product } of shown) quotedProduct(product, products);
    const clock = new SystemClock(timers);
    const limited = limitedNotice(notice, timers);
    const feed = new WireFeed({
      spelling: service.client.spelling,
      baseUrl: service.baseUrl,
      service: service.settings,
      timers,
      opensPerSecond: settings.lanes.opensPerSecond,
      freshnessOf: freshnessFrom(settings.lanes.staleAfterMs),
      onRefusedFrame: (lane, why) => limited('warn', `lane ${lane}: a frame was refused: ${why}`),
    });
    const time = new TimeKeeping({
      settings: settings.clock,
      service,
      isSameClock: modeFacts(mode).isForTrials,
      timers,
      clock,
      post: (event) => inbox.post(event),
      onSuspension: (why) => feed.replace(why),
      notice,
    });
    const { dir, keepDays } = settings.recording;
    const log = RunLog.create({ dir, run: newRunId(timers), book: BOOK });
    const counted = new CountedQuotes(log);
    const guarded = untilFault(onFault);
    const inbox = new Inbox({
      clock,
      log: counted,
      first: 1,
      soon: (drain) => setImmediate(() => guarded(drain)),
      handle: () => {},
    });
    feed.connect(inbox);
    inbox.post({ kind: 'products', products: products.map(productText) });
    time.start();
    inbox.drain();
    feed.openAll(lanes, shown);
    const stopSealing = keepRecordings({ dir, keepDays, timers, notice, part: () => log.part });
    const stopFlushing = timers.every(FLUSH_MS, () => guarded(() => log.flush()));
    return {
      run: log.run,
      path: log.folder,
      baseUrl: service.baseUrl,
      quotes: () => counted.quotes,
      async stop() {
        await time.stop();
        await feed.close();
        guarded(() => inbox.drain());
        stopFlushing();
        clock.wakeAt(undefined, () => {});
        await service.close();
        await stopSealing();
        log.close();
        for (const _ of sealRun(log.path, timers.wallMs()));
        return sealedBytes(log.path);
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}

function sealedBytes(path: string): number {
  return openRun(path)
    .parts()
    .reduce((sum, part) => sum + (part instanceof SealedRun ? part.bytes : 0), 0);
}

function checkLanes(lanes: readonly Lane[], products: readonly Product[]): void {
  if (lanes.length === 0) {
    throw new KairosError('USAGE', 'there is no lane to record: configure strategies, or name --product with --size or --value');
  }
  for (const { id, product: code, amount } of lanes) {
    const fault = amountFault(amount, quotedProduct(code, products));
    if (fault) throw new KairosError('USAGE', `lane ${id}: ${fault}`);
  }
}

function quotedProduct(code: ProductCode, products: readonly Product[]): Product {
  const product = products.find((one) => one.code === code);
  if (product) return product;
  const known = products.map((one) => one.code).join(', ');
  throw new KairosError('PRODUCT_UNKNOWN', `the service quotes no product ${code}; it quotes ${known}`);
}
