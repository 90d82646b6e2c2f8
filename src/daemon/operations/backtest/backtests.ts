import path from 'node:path';
import { Child } from '#adapters/threads/child.ts';
import { configText } from '#config/config-text.ts';
import type { DecidingConfig } from '#config/load.ts';
import { type LoaderOptions, strategyNames } from '#core/strategy/loader.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import { Pace } from '#domain/pace.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { withModule } from '#research/backtest/chosen-strategies.ts';
import type { FieldsOf } from '#server/control/endpoints.ts';
import type { BacktestView } from '#server/page/view.ts';
import type { BacktestChild, BacktestTask } from './backtest-process.ts';

const HOUR_MS = 3_600_000;
/** The longest that one may play, in milliseconds. */
const MAX_MS = HOUR_MS;
const MB = 1024 * 1024;
const MIN_MB = 256;
const MAX_MB = 2048;

type Process = Pick<Child<BacktestChild>, 'onMessage' | 'onError' | 'stop'>;

interface BacktestsOptions {
  readonly config: DecidingConfig;
  readonly strategyFolders: LoaderOptions;
  readonly timers: Pick<Timers, 'after' | 'monotonicMs' | 'wallMs'>;
  readonly notice: Notice;
  /** Begins the process. */
  readonly start?: (task: BacktestTask) => Process;
}

const startProcess = (data: BacktestTask): Process =>
  new Child<BacktestChild>({
    entry: new URL('./backtest-process-entry.ts', import.meta.url),
    name: 'backtest',
    data,
    memory: {
      mb: data.memoryMb,
      tooMuch: `it needs more than the ${data.memoryMb} MB that it is given here: take less time or fewer trials, or play it by \`kairos sweep\``,
    },
  });

/** Backtests and sweeps that a person starts beside trading: one at a time, in a process behind everything else, bounded in time and memory. */
export class Backtests {
  private readonly options: BacktestsOptions;
  private process: Process | undefined;
  private last: BacktestView | null = null;
  private cancelEnd: Cancel = () => {};
  private told = 0;

  constructor(options: BacktestsOptions) {
    this.options = options;
  }

  /** The one that plays, or the last one. */
  get view(): BacktestView | null {
    return this.last;
  }

  /** Grows with each change of it. */
  get turns(): number {
    return this.told;
  }

  /** The modules that can be played, configured or not. */
  modules(): readonly string[] {
    return strategyNames(this.options.strategyFolders);
  }

  /** Throws ACT_REFUSED while one plays, NOT_FOUND for an unknown module. */
  start({ strategy: id, use, hours, vary, by, who }: FieldsOf<'backtest'>): BacktestView {
    const { config, strategyFolders, timers, notice, start = startProcess } = this.options;
    if (use !== undefined && !this.modules().includes(use)) throw new KairosError('NOT_FOUND', `there is no strategy module ${use}`);
    if (this.process)
      throw new KairosError('ACT_REFUSED', `a ${this.last?.kind} of ${this.last?.strategy} plays: wait for its end, or stop it`);
    const kind = vary.length === 0 ? 'backtest' : 'sweep';
    const at = timers.wallMs();
    const strategy = use ?? id;
    const report = `${kind}-${strategy}-${isoTime(at).replace(/[-:]|\.\d+/g, '')}.html`;
    const child = start({
      config: configText(use === undefined ? config : withModule(config, id, use)),
      strategy: id,
      from: hours === null ? null : at - hours * HOUR_MS,
      vary: vary.map((one) => `${id}.${one}`),
      by: by ?? null,
      file: path.resolve(path.dirname(config.settings.journal.path), 'reports', report),
      cwd: strategyFolders.cwd,
      memoryMb: Math.max(MIN_MB, Math.min(MAX_MB, Math.floor(process.availableMemory() / 4 / MB))),
    });
    const began = timers.monotonicMs();
    const pace = new Pace();
    const tell = (more: Partial<BacktestView>): void => {
      if (this.process === child) this.becomes(more);
    };
    this.process = child;
    const begun = { kind, strategy, startedAt: isoTime(at), trials: null, share: 0, leftMs: null, says: '', report: null } as const;
    this.last = { ...begun, state: 'playing' };
    this.told += 1;
    child.onMessage((told) => {
      if (told.kind === 'trials') tell({ trials: told.count });
      else if (told.kind === 'share') tell({ share: told.share, leftMs: pace.leftMs(told.share, timers.monotonicMs() - began) ?? null });
      else this.over(child, { state: 'done', share: 1, says: told.says, report });
    });
    child.onError((error) => this.over(child, { state: 'failed', says: messageOf(error) }));
    this.cancelEnd = timers.after(MAX_MS, () =>
      this.over(child, {
        state: 'failed',
        says: 'it took more than an hour: take less time or fewer trials, or play it by `kairos sweep`',
      }),
    );
    notice('info', `${who} plays a ${kind} of ${strategy}`);
    return this.last;
  }

  /** Throws ACT_REFUSED where none plays. */
  stop(who: string): BacktestView {
    const { process: child, last } = this;
    if (!child || !last) throw new KairosError('ACT_REFUSED', 'no backtest plays');
    this.over(child, { state: 'stopped', says: `stopped by ${who}` });
    return this.last ?? last;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.cancelEnd();
    await this.process?.stop();
  }

  private over(child: Process, how: Pick<BacktestView, 'state' | 'says'> & Partial<BacktestView>): void {
    if (this.process !== child || !this.last) return;
    this.cancelEnd();
    this.process = undefined;
    this.becomes({ leftMs: null, ...how });
    const { kind, strategy } = this.last;
    this.options.notice(how.state === 'failed' ? 'warn' : 'info', `the ${kind} of ${strategy} is ${how.state}: ${how.says}`);
    void child.stop();
  }

  private becomes(more: Partial<BacktestView>): void {
    if (this.last) this.last = { ...this.last, ...more };
    this.told += 1;
  }
}
