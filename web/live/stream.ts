import { shownIn } from '#domain/one-line.ts';
import type { StateChange } from '#server/page/changes.ts';
import type { DecisionHistory } from '#server/page/history-view.ts';
import type { DecisionView, PastView } from '#server/page/past-view.ts';
import type { HelloView, StateView } from '#server/page/view.ts';
import { look } from './ask.ts';
import { changed } from './changed.ts';
import type { Model } from './model.ts';

/** The daemon sends a message every few seconds; after so long a silence, in milliseconds, the connection counts as lost. */
const SILENCE_MS = 12_000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;
const FIRST_DECISIONS = 200;

/**
 * Receives the daemon's messages while the page is open. A lost connection is resumed with the newest decisions: none is shown twice, and
 * none is left out between two. Meanwhile the page says since when nothing has arrived.
 */
export class Stream {
  private readonly model: Model;
  private source: EventSource | null = null;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private heardAt = performance.now();
  private tries = 0;
  private state: StateView | null = null;

  constructor(model: Model) {
    this.model = model;
  }

  /** Begins to listen, and begins again after a lost connection. */
  join(): void {
    // The state arrives at once. What is read from a long journal follows later.
    if (this.model.newest === 0) void this.lookBack();
    const source = new EventSource('/api/events');
    this.source = source;
    const on = <Said>(name: string, hear: (said: Said) => void): void =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        this.heard();
        hear(shownIn(data) as Said);
      });
    on<HelloView>('hello', (said) => {
      const who = this.model.hello(said);
      if (who === 'restarted') void this.lookBack();
      if (who === 'other') this.end();
    });
    const tell = (state: StateView): void => {
      this.state = state;
      this.model.setState(state);
    };
    on<StateView>('state', tell);
    on<StateChange>('change', (said) => tell(changed(this.state, said) as StateView));
    on<PastView>('past', (said) => this.model.past.set(said));
    on<DecisionView>('decision', (said) => this.model.decided(said));
    source.addEventListener('error', () => this.lost());
    this.listen();
  }

  private async lookBack(): Promise<void> {
    const found = await look<DecisionHistory>(`/api/history/decisions?limit=${FIRST_DECISIONS}`);
    if (found.kind === 'done') this.model.lookedBack(found.body.decisions);
  }

  private heard(): void {
    this.heardAt = performance.now();
    this.tries = 0;
    if (this.model.link.get().kind !== 'live') this.model.reached({ kind: 'live' });
    this.listen();
  }

  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lost(), SILENCE_MS);
  }

  private end(): void {
    clearTimeout(this.silence);
    this.source?.close();
  }

  private lost(): void {
    this.end();
    this.tries += 1;
    this.model.reached({ kind: 'lost', since: this.heardAt });
    setTimeout(() => this.join(), Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.tries - 1)));
  }
}
