import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '#config/settings.ts';
import type { ScheduleLine } from '#domain/schedule.ts';
import type { Orchestrator } from '#ports/orchestrator.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { HistoryAsk } from '#server/page/history-ask.ts';
import type { OrderCheckAsk } from '#server/page/order-check.ts';
import type { Asset, FeedRow, PageTarget } from '#server/page/target.ts';
import type { HelloView, StateView } from '#server/page/view.ts';
import type { RunningConfig } from './arm-view.ts';
import { PageFiles } from './page-files.ts';
import { PageThread } from './page-thread.ts';
import { RemotePoll } from './remote-poll.ts';

/** The page's source, which comes with Kairos. */
const SOURCE = fileURLToPath(new URL('../../../web', import.meta.url));

/** Asked of the thread that reads the present: short answers that no long one may hold up. */
const SHORT: ReadonlySet<HistoryAsk['kind']> = new Set(['decisions', 'order', 'trades', 'profit', 'runs']);
/** Answered without the figures of all runs. */
const AT_ONCE: ReadonlySet<HistoryAsk['kind']> = new Set(['decisions', 'order', 'prices', 'run-report', 'comparison', 'report-file']);
/** When the figures of all runs are first brought up to date after a start, and how often then where nobody looks. */
const PREPARED_AFTER_MS = 60_000;
const PREPARED_EVERY_MS = 3_600_000;

interface PageOptions {
  readonly run: string;
  readonly settings: Pick<Settings, 'journal' | 'recording' | 'schedule'>;
  readonly timers: Pick<Timers, 'after' | 'monotonicMs' | 'wallMs'>;
  readonly hello: HelloView;
  readonly state: () => StateView;
  readonly turn: () => number;
  readonly metrics: PageTarget['metrics'];
  readonly orderCheck: PageTarget['orderCheck'];
  readonly parameters: PageTarget['parameters'];
  readonly modules: PageTarget['modules'];
  /** The service's own strategies. */
  readonly strategies: Pick<Orchestrator, 'find'>;
  /** The configuration that runs. */
  readonly running: () => RunningConfig;
}

/**
 * What the page is shown of a running daemon. The present comes from memory; the journal is read in one thread and history in
 * another, since a report may take long.
 */
export class Page implements PageTarget {
  private readonly options: PageOptions;
  private readonly present: PageThread;
  private readonly earlier: PageThread;
  private readonly files: PageFiles;
  private readonly remote: RemotePoll;
  private reading: ReturnType<PageTarget['past']> | undefined;
  private preparing: Promise<void> | undefined;
  private cancelPreparing: Cancel;

  constructor(options: PageOptions) {
    const { run, settings, timers, strategies } = options;
    const { journal, recording, schedule } = settings;
    const folder = path.dirname(path.resolve(journal.path));
    const task = { journal: journal.path, recordings: recording.dir, reports: reportFolders(folder, schedule), run, schedule };
    this.options = options;
    this.present = new PageThread(task, timers);
    this.earlier = new PageThread(task, timers);
    this.remote = new RemotePoll(strategies, timers);
    this.files = new PageFiles({ source: SOURCE, cache: path.join(folder, 'page') });
    this.cancelPreparing = timers.after(PREPARED_AFTER_MS, () => this.keepPrepared());
  }

  hello(): HelloView {
    return this.options.hello;
  }

  state(): StateView {
    return this.options.state();
  }

  turn(): number {
    return this.options.turn();
  }

  soon(run: () => void): void {
    setImmediate(run);
  }

  async arming(): Promise<string> {
    return this.present.ask({ kind: 'arming', ...this.options.running() });
  }

  orderCheck(asked: OrderCheckAsk): string {
    return this.options.orderCheck(asked);
  }

  parameters(strategy: string): string {
    return this.options.parameters(strategy);
  }

  modules(): string {
    return this.options.modules();
  }

  remoteStrategies(): Promise<string> {
    return this.remote.read();
  }

  async end(): Promise<number> {
    return this.present.ask({ kind: 'end' });
  }

  async feed(after: number, limit: number): Promise<readonly FeedRow[]> {
    return this.present.ask({ kind: 'feed', after, limit });
  }

  /** Callers who ask during a read share its answer. */
  past(): ReturnType<PageTarget['past']> {
    this.reading ??= this.readPast();
    return this.reading;
  }

  async history(ask: HistoryAsk): Promise<string> {
    const thread = SHORT.has(ask.kind) ? this.present : this.earlier;
    thread.start();
    if (!AT_ONCE.has(ask.kind)) await this.prepared();
    return thread.ask({ kind: 'history', ask });
  }

  metrics(pages: number): ReturnType<PageTarget['metrics']> {
    return this.options.metrics(pages);
  }

  /** Whoever opens the page asks for the past next: its threads start while the browser reads the page. */
  asset(url: string): Promise<Asset | undefined> {
    if (url === '/') {
      this.earlier.start();
      this.prepared().catch(() => {});
    }
    return this.files.asset(url);
  }

  private async readPast(): ReturnType<PageTarget['past']> {
    try {
      await this.prepared();
      return await this.present.ask({ kind: 'past' });
    } finally {
      this.reading = undefined;
    }
  }

  /** Resolves once the figures of all runs are up to date. They are read in steps, so that other questions are answered in between. */
  private prepared(): Promise<void> {
    this.preparing ??= this.prepare();
    return this.preparing;
  }

  private async prepare(): Promise<void> {
    try {
      while (!(await this.present.ask({ kind: 'prepare' })));
    } finally {
      this.preparing = undefined;
    }
  }

  /** The first page that is opened shall find little to read. */
  private keepPrepared(): void {
    this.cancelPreparing = this.options.timers.after(PREPARED_EVERY_MS, () => this.keepPrepared());
    // Whoever asks for them is told what was wrong.
    this.prepared().catch(() => {});
  }

  async close(): Promise<void> {
    this.cancelPreparing();
    this.remote.close();
    await Promise.all([this.present.close(), this.earlier.close(), this.files.close()]);
  }
}

/** The folder `reports` beside the journal, and the folders of scheduled reports. */
function reportFolders(folder: string, schedule: readonly ScheduleLine[]): readonly string[] {
  const scheduled = schedule.filter(({ action }) => action === 'bot.report').map(({ arguments: given }) => path.resolve(String(given.dir)));
  return [...new Set([path.join(folder, 'reports'), ...scheduled])];
}
