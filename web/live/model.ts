import type { DecisionView, PastView } from '#server/page/past-view.ts';
import type { HelloView, StateView } from '#server/page/view.ts';
import { Store } from './store.ts';

/** The page's connection to the daemon. `since`: when the last message arrived (`performance.now()`). */
export type Link = { readonly kind: 'joining' } | { readonly kind: 'live' } | { readonly kind: 'lost'; readonly since: number };

/** The daemon's last state, and when it arrived (`performance.now()`). */
export interface Told {
  readonly state: StateView;
  readonly heardAt: number;
}

/** The data of the page. Each part redraws what uses it. */
export class Model {
  readonly link = new Store<Link>({ kind: 'joining' });
  readonly told = new Store<Told | null>(null);
  readonly past = new Store<PastView | null>(null);
  /** The newest first. */
  readonly decisions = new Store<readonly DecisionView[]>([]);
  /** A one-time message, such as a restart of the daemon. */
  readonly news = new Store<string>('');
  private run: string | null = null;

  /** The number of the newest decision that has arrived. */
  get newest(): number {
    return this.decisions.get()[0]?.seq ?? 0;
  }

  /** Returns whether it is another run than before. */
  hello({ run }: HelloView): boolean {
    const isAnother = this.run !== null && this.run !== run;
    if (isAnother) this.news.set(`The daemon was started again: this is run ${run}.`);
    this.run = run;
    return isAnother;
  }

  tell(state: StateView): void {
    this.told.set({ state, heardAt: performance.now() });
    document.title = titleOf(state);
  }

  /** Takes the newest decisions of the journal, which may be another journal than before, and keeps decisions that have arrived since. */
  lookedBack(rows: readonly DecisionView[]): void {
    const end = rows[0]?.seq ?? 0;
    this.decisions.set([...this.decisions.get().filter(({ seq, run }) => seq > end && run === this.run), ...rows]);
  }

  /** Takes the next decision. Each is taken once. */
  decided(row: DecisionView): void {
    if (row.seq > this.newest) this.decisions.set([row, ...this.decisions.get()].slice(0, MAX_KEPT));
  }
}

/** Number of decisions that the page keeps; older ones are loaded on request. */
const MAX_KEPT = 400;

/** The title of the browser's tab. */
function titleOf({ mode, trading, unknowns }: StateView): string {
  const alarm = trading === 'ACTIVE' ? '' : `${trading} \u00b7 `;
  return `${alarm}${unknowns > 0 ? `${unknowns} unknown \u00b7 ` : ''}${mode.toUpperCase()} \u00b7 Kairos`;
}

/** The daemon's present time: its last time plus the time since. Does not use this machine's wall clock. */
export const nowOf = ({ state, heardAt }: Told): number => Date.parse(state.at) + (performance.now() - heardAt);

export const model = new Model();
