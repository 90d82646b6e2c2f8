import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import type { RemoteStrategy } from '#domain/remote.ts';
import type { Orchestrator } from '#ports/orchestrator.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { NamedText, RemoteStrategiesView, RemoteStrategyView } from '#server/page/remote-view.ts';

/** The shortest time between two requests to the service, for any number of pages. */
const MIN_APART_MS = 2_000;
const MAX_TEXT = 120;

/** Reads the service's own strategies for the page: one request at a time, at a bounded rate, never with an answer from before the question. */
export class RemotePoll {
  private readonly strategies: Pick<Orchestrator, 'find'>;
  private readonly timers: Pick<Timers, 'after' | 'monotonicMs' | 'wallMs'>;
  private present: Promise<unknown> = Promise.resolve();
  private next: Promise<string> | undefined;
  private notBeforeMs = Number.NEGATIVE_INFINITY;
  private cancelWait: Cancel = () => {};

  constructor(strategies: Pick<Orchestrator, 'find'>, timers: Pick<Timers, 'after' | 'monotonicMs' | 'wallMs'>) {
    this.strategies = strategies;
    this.timers = timers;
  }

  /** A `RemoteStrategiesView` as JSON. Failures of the service are its `why`, not rejections. Callers before its start share it. */
  read(): Promise<string> {
    this.next ??= this.inTurn();
    return this.next;
  }

  close(): void {
    this.cancelWait();
  }

  private async inTurn(): Promise<string> {
    await this.present;
    const waitMs = this.notBeforeMs - this.timers.monotonicMs();
    if (waitMs > 0) {
      await new Promise<void>((resolve) => {
        this.cancelWait = this.timers.after(waitMs, resolve);
      });
    }
    this.next = undefined;
    const asking = this.ask();
    // The caller gets the error.
    this.present = asking.catch(() => {});
    return asking;
  }

  private async ask(): Promise<string> {
    const why: string[] = [];
    const found = await this.found((reason) => why.push(reason));
    this.notBeforeMs = this.timers.monotonicMs() + MIN_APART_MS;
    const view: RemoteStrategiesView = {
      at: isoTime(this.timers.wallMs()),
      strategies: found.map(strategyView),
      why: why.length === 0 ? null : why.join('; '),
    };
    return JSON.stringify(view);
  }

  private async found(lacks: (why: string) => void): Promise<readonly RemoteStrategy[]> {
    try {
      const found = await this.strategies.find(lacks);
      if (found === null) lacks('the service does not read its strategies back; what was asked of it stands below');
      return found ?? [];
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      lacks(messageOf(error));
      return [];
    }
  }
}

const strategyView = ({ strategyId, eventTime, state, uiParams }: RemoteStrategy): RemoteStrategyView => ({
  id: strategyId,
  changedAt: eventTime,
  state: Object.entries(state).map(named),
  params: Object.entries(uiParams).map(([name, value]) => named([name, isValued(value) ? value.value : value])),
});

const named = ([name, value]: readonly [string, unknown]): NamedText => ({
  name,
  text: (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, MAX_TEXT),
});

/** A parameter that stands in a group of its values. */
const isValued = (value: unknown): value is { readonly value: unknown } => typeof value === 'object' && value !== null && 'value' in value;
