import { Observable, type SchedulerAction, type SchedulerLike, Subject, Subscriber, type Subscription } from 'rxjs';
import type { PastValue } from '#domain/event.ts';
import { frozen } from '#domain/frozen.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import { LastSignals, type PastSignal, readFields, signalSource } from '#domain/outside-signal.ts';
import type { Quote } from '#domain/quote.ts';
import { seeded } from '#domain/seeded.ts';
import type { StrategyCall } from '#domain/strategy-call.ts';
import { StrategyCounts } from '#domain/strategy-counts.ts';
import type { Ambient } from './ambient.ts';
import type { Deposit, Outcome, View } from './contract.ts';
import { signalInputs } from './inputs.ts';
import type { StrategyInstance } from './instance.ts';
import type { StrategyAnswer } from './intents.ts';
import { type KeptState, keptStateOf } from './kept-state.ts';
import { cutText, journaled, keptValue, MAX_SHORT_TEXT } from './kept-text.ts';
import { type CronNext, marketFor } from './market-streams.ts';
import { sourceOf } from './own-past.ts';
import { paramValues } from './params.ts';
import { receivedAt } from './received.ts';
import { WarmUp } from './warm-up.ts';

/** Takes what a strategy's signals bring, with the count of the subscription that brings it; neither throws. */
export interface SignalSink {
  /** Returns false if it emitted too much and must end. */
  signal(runner: StrategyRunner, generation: number, signal: unknown): boolean;
  /** The error that ended the subscription. */
  failed(runner: StrategyRunner, generation: number, error: unknown): void;
}

interface StrategyRunnerOptions {
  readonly instance: StrategyInstance;
  readonly scheduler: SchedulerLike;
  readonly cronNext: CronNext | undefined;
  readonly areBars: Ambient['areBars'];
  /** Runs strategy code as part of an event, under this runner's surroundings. */
  readonly enter: (runner: StrategyRunner, run: () => void) => void;
  readonly sink: SignalSink;
  readonly notesAsks: boolean;
}

/** One strategy instance at work: its streams, its surroundings, and how often in a row it failed. */
export class StrategyRunner implements Ambient {
  readonly instance: StrategyInstance;
  readonly scheduler: SchedulerLike;
  readonly areBars: Ambient['areBars'];
  /** Replaced with each subscription, so that the strategy's own subscriptions end with it. */
  quotes = new QuoteStream<Quote>();
  outcomes = new Subject<Outcome>();
  deposits = new Subject<Deposit>();
  dataEnds = new Subject<Millis>();
  readonly inputs: Readonly<Record<string, Subject<unknown>>>;
  readonly params: ReturnType<typeof paramValues>;
  readonly random: () => number;
  readonly state: KeptState | undefined;
  readonly warmUp: WarmUp;
  /** Why it is disabled, or undefined while it works. */
  disabled: string | undefined;
  /** True where it held up the process, or the settings leave it out: none of its code runs until it is enabled. */
  isSilent = false;
  /** Counts subscriptions: signals of earlier ones are ignored. */
  generation = 0;
  failuresInARow = 0;
  /** True once it has decided or failed in the present turn of the host. */
  decided = false;
  /** Why its last signal was not a number, and since when none was; undefined where it was one. */
  nan: { readonly why: string; readonly since: Millis } | undefined;
  readonly counts = new StrategyCounts();
  /** When `decide` was called for the first time; undefined where it never was. */
  firstAskedAt: Millis | undefined;
  /** What it was asked last; undefined where nobody looks. */
  readonly lastAsk: LastAsk | undefined;
  private failed = false;
  /** True while it is fed with recorded values: its signals are not decided on. */
  feeding = false;
  /** Signals in the present turn of the host. */
  inOneGo = 0;
  /** Of each timer of its signals, when it fires next after a time. */
  readonly timers = new Map<string, (after: Millis) => Millis | undefined>();
  private readonly options: StrategyRunnerOptions;
  private readonly ofSignals: ReturnType<typeof signalInputs>;
  /** What `decide` sees of sources from outside. */
  private readonly lastSignals = new LastSignals();
  /** The values that it has named. */
  readonly observed = new ObservedValues();
  private subscription: Subscription | undefined;

  constructor(options: StrategyRunnerOptions) {
    this.options = options;
    const { instance } = options;
    this.instance = instance;
    this.areBars = options.areBars;
    this.scheduler = ownScheduler(options.scheduler, this, (run) => options.enter(this, run));
    this.params = paramValues(instance.params);
    this.ofSignals = signalInputs(instance.definition.inputs);
    this.inputs = Object.freeze(Object.fromEntries(Object.keys(instance.inputs ?? {}).map((name) => [name, new Subject<unknown>()])));
    this.state = keptStateOf(instance.definition, this.params);
    this.lastAsk = options.notesAsks ? new LastAsk() : undefined;
    this.warmUp = new WarmUp(instance.definition.warmup?.(this.params));
    const numbers = seeded(`${instance.seed}/${instance.id}`);
    this.random = () => numbers.next();
  }

  /** Counts a failure; returns the number of consecutive ones. */
  fail(): number {
    this.failed = true;
    this.failuresInARow += 1;
    return this.failuresInARow;
  }

  /** Ends the host's turn. A decision without a failure in the same turn resets the count of failures. */
  endGo(): void {
    this.inOneGo = 0;
    if (this.decided && !this.failed) this.failuresInARow = 0;
    this.decided = false;
    this.failed = false;
  }

  /** Gives a recorded value to those of its streams that listen to its source. */
  replay(past: PastValue): void {
    const value = frozen('quote' in past ? past.quote : past.shown);
    const source = sourceOf(past);
    if ('quote' in past && source === this.instance.lane) {
      this.warmUp.passed(1);
      this.options.enter(this, () => this.quotes.next(past.quote));
    }
    for (const [name, input] of Object.entries(this.instance.inputs ?? {})) {
      if (input.source === source) this.options.enter(this, () => this.inputs[name]?.next(value));
    }
  }

  /** The observed values as they stand, with the signal under decision. */
  signals(signal: unknown): Readonly<Record<string, unknown>> {
    return { ...keptValues(this.observed), signal: journaled(signal) };
  }

  /** When the first of its timers fires next after a time; undefined where it has none. */
  nextTimer(after: Millis): Millis | undefined {
    const next = [...this.timers.values()].flatMap((nextAfter) => nextAfter(after) ?? []);
    return next.length === 0 ? undefined : Math.min(...next);
  }

  /** Subscribes the strategy's signals anew. To be run inside `enter`; throws what `signals` throws. */
  subscribe(): void {
    this.unsubscribe();
    const { definition } = this.instance;
    const { generation } = this;
    this.warmUp.begin(this.scheduler.now());
    const market = marketFor({ runner: this, cronNext: this.options.cronNext });
    const signals$: unknown = definition.signals(market, this.params);
    if (!(signals$ instanceof Observable)) throw new TypeError('signals() must return one rxjs stream');
    const subscription = signals$.subscribe(new SignalReader(this, this.options.sink));
    // It may have failed and been ended while it subscribed.
    if (generation === this.generation) this.subscription = subscription;
    else subscription.unsubscribe();
  }

  /** Ends the streams with their timers, and forgets what they observed. */
  unsubscribe(): void {
    this.generation += 1;
    this.timers.clear();
    this.observed.clear();
    this.quotes = new QuoteStream();
    this.outcomes = new Subject();
    this.deposits = new Subject();
    this.dataEnds = new Subject();
    const { subscription } = this;
    this.subscription = undefined;
    subscription?.unsubscribe();
  }

  /** As `unsubscribe`. A strategy may throw even there, when its own clean-up runs. */
  end(): void {
    try {
      this.unsubscribe();
    } catch {
      // What a stream's clean-up throws changes nothing: its life is over, and the strategy's failure is told already.
    }
  }

  /** Keeps a signal as the strategy declares it, and returns it so. One that does not fit is as if it had not come. */
  take(past: PastSignal): PastSignal | undefined {
    const input = this.ofSignals.find(([name]) => this.inputSource(name) === past.source);
    const read = input && readFields([input[1].schema], past.signal.value);
    if (!read || 'field' in read) return undefined;
    const own = { ...past, signal: { ...past.signal, value: read.value } };
    this.lastSignals.apply(own);
    return own;
  }

  private inputSource(input: string): LaneId {
    return this.instance.inputs?.[input]?.source ?? signalSource(input);
  }

  /** The last signal of each input from outside that is not stale; which it was, and how old, is kept with the observed values. */
  private signalsAt(now: Millis): View['inputs'] {
    const seen = this.ofSignals.map(([name, { staleAfterMs }]) => {
      const past = this.lastSignals.of(this.inputSource(name));
      const received = past && receivedAt(past, now);
      const isStale = received !== undefined && received.age > (staleAfterMs ?? Number.POSITIVE_INFINITY);
      this.observed.set(name, received && { id: received.id, ageMs: received.age, stale: isStale, ...received.value });
      return [name, isStale ? undefined : received] as const;
    });
    return Object.freeze(Object.fromEntries(seen));
  }

  /** Asks the strategy's `decide`; throws what it throws. */
  decide(signal: unknown, view: View): unknown {
    this.counts.asked += 1;
    this.firstAskedAt ??= view.now;
    const inputs = this.ofSignals.length === 0 ? view.inputs : this.signalsAt(view.now);
    this.lastAsk?.begin(signal, view, this.observed);
    const isPlain = this.state === undefined && inputs === view.inputs;
    const seen = isPlain ? view : Object.assign({}, view, { inputs, state: this.state?.value });
    return this.instance.definition.decide(signal, seen, this.params);
  }
}

/** Reads a strategy's signals: what rxjs makes of a function that is subscribed, with less in it, since its sink does not throw. */
export class SignalReader extends Subscriber<unknown> {
  private readonly runner: StrategyRunner;
  private readonly generation: number;
  private readonly sink: SignalSink;

  constructor(runner: StrategyRunner, sink: SignalSink) {
    super();
    this.runner = runner;
    this.generation = runner.generation;
    this.sink = sink;
  }

  override next(signal: unknown): void {
    if (!this.closed && !this.sink.signal(this.runner, this.generation, signal)) this.unsubscribe();
  }

  override error(error: unknown): void {
    if (this.closed) return;
    this.sink.failed(this.runner, this.generation, error);
    this.unsubscribe();
  }
}

/** A scheduler whose timers run as the strategy's own code: under its surroundings, failing alone, and not after its signals' end. */
function ownScheduler(engine: SchedulerLike, runner: { readonly generation: number }, enter: (run: () => void) => void): SchedulerLike {
  return {
    now: () => engine.now(),
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription {
      const { generation } = runner;
      return engine.schedule<T>(
        function (this: SchedulerAction<T>, given?: T) {
          if (runner.generation === generation) enter(() => work.call(this, given));
        },
        delay,
        state,
      );
    },
  };
}

/**
 * The quotes of one strategy, as its `quotes$`. A Subject with less in it: it neither ends nor fails, and the host, which
 * gives it each quote, collects what its readers throw.
 */
export class QuoteStream<T> {
  /** Replaced at each change, so that those who come and go while a quote is given do not matter to it. */
  private readers: readonly Subscriber<T>[] = [];

  readonly values$ = new Observable<T>((reader) => {
    this.readers = [...this.readers, reader];
    return () => {
      this.readers = this.readers.filter((one) => one !== reader);
    };
  });

  get isUnread(): boolean {
    return this.readers.length === 0;
  }

  /** Its reader, where it has one alone. */
  get onlyReader(): Subscriber<T> | undefined {
    return this.readers.length === 1 ? this.readers[0] : undefined;
  }

  next(value: T): void {
    const { readers } = this;
    if (readers.length === 1) readers[0]?.next(value);
    else for (const reader of readers) reader.next(value);
  }
}

/** Names that one strategy may give. */
const MAX_NAMES = 100;

/** Values by the names that a strategy gave them, in the order of their first. Names are few: looking through them is quickest. */
class ObservedValues {
  /** Names are only added to the list: who keeps it with their count keeps those that there were. */
  names: string[] = [];
  readonly latest: unknown[] = [];

  set(name: string, value: unknown): void {
    const { names, latest } = this;
    for (let place = 0; place < names.length; place++) {
      if (names[place] !== name) continue;
      latest[place] = value;
      return;
    }
    if (names.length >= MAX_NAMES)
      throw new RangeError(`observe: more than ${MAX_NAMES} names; the next is '${cutText(name, MAX_SHORT_TEXT)}'`);
    names.push(name);
    latest.push(value);
  }

  clear(): void {
    this.names = [];
    this.latest.length = 0;
  }
}

/** Values by their names, in plain data of bounded size. */
export function keptValues({ names, latest }: Pick<ObservedValues, 'names' | 'latest'>): Readonly<Record<string, unknown>> {
  const kept: [name: string, value: unknown][] = [];
  for (const [place, value] of latest.entries()) kept.push([cutText(names[place] ?? '', MAX_SHORT_TEXT), keptValue(value)]);
  return Object.fromEntries(kept);
}

/** What a strategy was asked last, and its answer: for people who ask why there was no order. Written at each `decide`, so it is cheap. */
class LastAsk {
  /** What it answered; undefined where it threw. */
  answer: StrategyAnswer | undefined;
  private signal: unknown;
  private view: View | undefined;
  private position = 0;
  /** The values that it had named then, written again and again and seldom read. */
  private readonly latest: unknown[] = [];
  private names: string[] = [];

  /** It is being asked. What a strategy could change later is copied whole. */
  begin(signal: unknown, view: View, { names, latest }: ObservedValues): void {
    this.answer = undefined;
    this.signal = typeof signal === 'object' ? journaled(signal) : signal;
    this.view = view;
    this.position = view.position.size;
    this.names = names;
    this.latest.length = names.length;
    for (let place = 0; place < names.length; place++) {
      const value = latest[place];
      this.latest[place] = typeof value === 'object' ? keptValue(value) : value;
    }
  }

  /** Undefined until it was asked once. An answer that nobody can act on counts as an error. */
  read(): StrategyCall | undefined {
    const { view, position, names, latest, answer } = this;
    if (view === undefined) return undefined;
    const asked = { at: view.now, signal: journaled(this.signal), position, observed: keptValues({ names, latest }) };
    if (answer === undefined || answer.kind === 'bad') return { ...asked, said: 'threw' };
    return { ...asked, said: answer.kind === 'intents' ? 'intent' : answer.kind === 'nan' ? 'nothing' : answer.kind };
  }
}
