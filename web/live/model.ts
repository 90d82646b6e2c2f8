import type { DecisionView, PastView } from '#server/page/past-view.ts';
import type { HelloView, StateView } from '#server/page/view.ts';
import { titleOf } from '../words/reach.ts';
import { Store } from './store.ts';

/** The page's connection to the daemon. `since`: when the last message arrived (`performance.now()`). */
export type Link =
  | { readonly kind: 'joining' }
  | { readonly kind: 'live' }
  | { readonly kind: 'lost'; readonly since: number }
  /** Another daemon listens at the address now. */
  | { readonly kind: 'other'; readonly found: HelloView };

/** The daemon's last state, and when it arrived (`performance.now()`). */
export interface LastState {
  readonly state: StateView;
  readonly heardAt: number;
}

/** The data of the page. Each part redraws what uses it. */
export class Model {
  readonly link = new Store<Link>({ kind: 'joining' });
  /** The daemon as it named itself; null before it did. */
  readonly daemon = new Store<HelloView | null>(null);
  readonly told = new Store<LastState | null>(null);
  readonly past = new Store<PastView | null>(null);
  /** The newest first. */
  readonly decisions = new Store<readonly DecisionView[]>([]);
  /** A one-time message, such as a restart of the daemon. */
  readonly news = new Store<string>('');

  /** The number of the newest decision that has arrived. */
  get newest(): number {
    return this.decisions.get()[0]?.seq ?? 0;
  }

  /** Takes who answers: as before, in another run, or another daemon, which is not taken. */
  hello(said: HelloView): 'same' | 'restarted' | 'other' {
    const before = this.daemon.get();
    if (before !== null && before.instance !== said.instance) {
      this.reached({ kind: 'other', found: said });
      return 'other';
    }
    this.daemon.set(said);
    if (before === null || before.run === said.run) return 'same';
    this.news.set(`The daemon was started again: this is run ${said.run}.`);
    return 'restarted';
  }

  /** Takes how the page reaches the daemon. */
  reached(link: Link): void {
    this.link.set(link);
    this.entitle();
  }

  setState(state: StateView): void {
    this.told.set({ state, heardAt: performance.now() });
    this.entitle();
  }

  /** Takes the newest decisions of the journal, which may be another journal than before, and keeps decisions that have arrived since. */
  lookedBack(rows: readonly DecisionView[]): void {
    const end = rows[0]?.seq ?? 0;
    this.decisions.set([...this.decisions.get().filter(({ seq, run }) => seq > end && run === this.daemon.get()?.run), ...rows]);
  }

  /** Takes the next decision. Each is taken once, and older ones make room where some between were not told. */
  decided(row: DecisionView): void {
    const { newest } = this;
    if (row.seq > newest) this.decisions.set([row, ...(row.seq === newest + 1 ? this.decisions.get() : [])].slice(0, MAX_KEPT));
  }

  private entitle(): void {
    const told = this.told.get();
    if (told !== null) document.title = titleOf(told.state, { name: this.daemon.get()?.name ?? '', reach: this.link.get().kind });
  }
}

/** Number of decisions that the page keeps; older ones are loaded on request. */
const MAX_KEPT = 400;

/** The daemon's present time: its last time plus the time since. Does not use this machine's wall clock. */
export const nowOf = ({ state, heardAt }: LastState): number => Date.parse(state.at) + (performance.now() - heardAt);

export const model = new Model();
