import { RowViews } from '#core/engine/row-view.ts';
import type { ViewedBook } from '#core/engine/views.ts';
import type { StateEvent } from '#core/strategy/contract.ts';
import type { StrategyInstance } from '#core/strategy/instance.ts';
import { type KeptState, keptStateOf } from '#core/strategy/kept-state.ts';
import { paramValues } from '#core/strategy/params.ts';
import { codeAt } from '#domain/figure-at.ts';
import type { Intent } from '#domain/intent.ts';
import type { Outcome } from '#domain/outcome.ts';
import { Runs } from './columns.ts';
import type { Rows } from './rows.ts';
import { placedRefusal, ScreenRefusal } from './screen-refusal.ts';
import { type Came, cameOf, type Signals } from './signals.ts';
import { intentIn, ViewProbe } from './view-probe.ts';

/** What the strategy, or an exit of it, wants on a row. */
export interface Wish {
  readonly row: number;
  readonly intent: Intent;
}

/** Each quote is a signal: one run of all rows. */
const QUOTES = { count: 1, starts: Int32Array.of(0), codes: Uint8Array.of(1) };

/** What `decide` answered, and whether it looked at what differs by row. */
interface Answer {
  readonly intent: Intent | undefined;
  readonly isOfRow: boolean;
}

/** Where a trial stands: how much is held, in base currency, and what of its wishes comes to nothing. */
export interface Stand {
  readonly size: number;
  holding(): ViewedBook;
  /** Its last order that was executed. */
  lastFill(): Pick<Outcome, 'at' | 'side' | 'price' | 'size'>;
  isRefused(intent: Intent, row: number): boolean;
  /** The first exit on a row up to this one, which comes before what the strategy makes of its quote. */
  exitUpTo(row: number): Wish | undefined;
}

interface Over {
  readonly rows: Rows;
  readonly canShort: boolean;
  readonly stand: Stand;
}

/** Asks a strategy's own `decide` along the rows: at those of a word until it has nothing to say, and again where the word or what is held changes. */
export class Decider {
  private readonly instance: StrategyInstance;
  private readonly signals: Signals;
  private readonly length: number;
  private readonly stand: Stand;
  private readonly params: ReturnType<typeof paramValues>;
  private readonly state: KeptState | undefined;
  /** With a state each signal counts. */
  private readonly each: Came | undefined;
  private readonly view: RowViews;
  private readonly probe = new ViewProbe();
  /** What it is told of its last order. */
  private readonly execution: Outcome;
  /** What the engine tells of an intent that came to nothing, which the screen does not know. */
  private readonly refusal = new Proxy<Partial<Outcome>>({}, { get: () => this.probe.refuse('view.last of a refusal') }) as Outcome;
  /** What `decide` answers a word while so much is held, where that rests on nothing else. */
  private readonly answers: (Answer | undefined)[] = [];
  /** The last outcome that it was told, and whether the view stands there. */
  private last: Outcome | undefined;
  private hasStood = true;
  /** The run, or the signal, that was looked at last. */
  private at = 0;

  constructor(instance: StrategyInstance, signals: Signals, { rows, canShort, stand }: Over) {
    const { quotes, lane } = rows;
    this.instance = instance;
    this.signals = signals;
    this.length = quotes.length;
    this.stand = stand;
    this.params = paramValues(instance.params);
    this.state = keptStateOf(instance.definition, this.params);
    const quoteOf = (): never => this.probe.refuse('the id of a quote');
    const state = (): unknown => this.state?.value;
    this.view = new RowViews({ columns: quotes, lane: lane.id, quoteOf, canShort, instance, state }, stand.holding(), undefined);
    this.execution = executionOf(stand, this.probe);
    this.each = this.state && cameOf(signals.of, quotes.length, this.view.view.quote);
  }

  /** The first row from this one on at which the strategy wants something. */
  wantedFrom(from: number): Wish | undefined {
    const { of } = this.signals;
    if (this.each) return this.wantedOf(this.each, from);
    if (of === undefined) return this.wantedIn(QUOTES, from, () => this.view.view.quote);
    if (!(of instanceof Runs)) return this.wantedOf(of, from);
    const { words } = of;
    return this.wantedIn(of, from, (code) => words[code - 1]);
  }

  /** Its last order was executed, of which it hears before a row. */
  executed(before: number): void {
    this.hears(this.execution);
    if (!this.each) return;
    // Signals that came meanwhile were not decided on.
    for (; (this.each.rows[this.at] ?? before) < before; this.at++) this.foldSignal(this.each, this.at);
    this.fold({ type: 'outcome', outcome: this.execution });
  }

  /** Its last intent came to nothing. */
  refused(): void {
    if (this.last === this.refusal) return;
    this.hears(this.refusal);
    if (this.state) throw placedRefusal(new ScreenRefusal('a state that hears of a refusal'), this.instance.origin, 'decide');
  }

  private hears(outcome: Outcome): void {
    this.hasStood = false;
    this.last = outcome;
  }

  /** Signals before a row come before it is warm. */
  warmFrom(row: number): void {
    if (this.each) for (; (this.each.rows[this.at] ?? row) < row; this.at++);
  }

  private wantedOf(came: Came, from: number): Wish | undefined {
    const { rows: cameAt, values } = came;
    let { at } = this;
    // An exit may have come before the last that it wanted.
    if (!this.state) while (at > 0 && (cameAt[at - 1] ?? 0) >= from) at -= 1;
    for (; at < cameAt.length; at++) {
      const row = cameAt[at] ?? 0;
      if (row < from) continue;
      if (this.state) {
        // What comes before an exit's answer is folded with it.
        if (this.stand.exitUpTo(row)) {
          this.at = at;
          return undefined;
        }
        this.foldSignal(came, at);
      }
      const { intent } = this.answer(values[at], row);
      if (intent === undefined || this.stand.isRefused(intent, row)) continue;
      this.at = at + 1;
      return { row, intent };
    }
    this.at = cameAt.length;
    return undefined;
  }

  private wantedIn(
    runs: Pick<Runs<string>, 'count' | 'starts' | 'codes'>,
    from: number,
    signalOf: (code: number) => unknown,
  ): Wish | undefined {
    const { length, stand } = this;
    const { count, starts, codes } = runs;
    let run = Math.max(0, Math.min(this.at, count - 1));
    while (run > 0 && codeAt(starts, run) > from) run -= 1;
    for (; run < count; run++) {
      const code = codeAt(codes, run);
      const end = run + 1 < count ? codeAt(starts, run + 1) : length;
      for (let row = Math.max(from, codeAt(starts, run)); code !== 0 && row < end; row++) {
        const place = 3 * code + Math.sign(stand.size);
        const answer = this.answers[place] ?? this.answer(signalOf(code), row, place);
        const { intent, isOfRow } = answer;
        if (intent !== undefined && !stand.isRefused(intent, row)) {
          this.at = run;
          return { row, intent };
        }
        if (intent === undefined && !isOfRow) break;
      }
    }
    this.at = count;
    return undefined;
  }

  /** What `decide` answers a signal at a row; kept at a place where it rests on nothing but the signal and what is held. */
  private answer(signal: unknown, row: number, place?: number): Answer {
    const { view, instance, params, probe } = this;
    if (!this.hasStood) view.stand(this.stand.holding(), this.last);
    this.hasStood = true;
    view.to(row);
    view.forget();
    const intent = this.by(() => intentIn(instance.definition.decide(signal, probe.of(view.view), params)));
    const answer = { intent, isOfRow: view.hasRead };
    if (place !== undefined && !view.hasRead && !probe.hasReadMore) this.answers[place] = answer;
    return answer;
  }

  private foldSignal({ rows, values }: Came, at: number): void {
    this.view.to(rows[at] ?? 0);
    this.fold({ type: 'signal', signal: values[at] });
  }

  private fold(event: StateEvent): void {
    const { state } = this;
    this.by(() => state?.wouldChange(event) && state.fold(event));
  }

  /** Lets the strategy's own code run. What it throws is for the engine to tell. */
  private by<Of>(run: () => Of): Of {
    const { probe, instance } = this;
    probe.hasReadMore = false;
    try {
      const made = run();
      if (probe.refused) throw probe.refused;
      return made;
    } catch (error) {
      throw placedRefusal(probe.refused ?? error, instance.origin, 'decide');
    }
  }
}

/** The outcome of the last order that was executed. The engine alone knows its id. */
function executionOf(stand: Stand, probe: ViewProbe): Outcome {
  return {
    get at() {
      return stand.lastFill().at;
    },
    state: 'accepted',
    reason: null,
    get side() {
      return stand.lastFill().side;
    },
    get orderId() {
      return probe.refuse('the id of an order');
    },
    get price() {
      return stand.lastFill().price;
    },
    get size() {
      return stand.lastFill().size;
    },
  };
}
