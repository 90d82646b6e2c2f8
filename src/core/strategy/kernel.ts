import { Observable, type OperatorFunction, Subscriber } from 'rxjs';
import type { Quote } from '#domain/quote.ts';
import { type Batch, Doubles, QuoteRows, ValueBatch } from './batch.ts';

/** A value for each row of a recording, and a text that says what they are; undefined where nobody says. */
export interface KernelColumn<T> {
  readonly key: string | undefined;
  readonly batch: Batch<T>;
}

/** How the order of two numbers is told in words: 1 is up, -1 down, 0 equal. */
interface OrderWords<Word extends string> {
  readonly words: readonly Word[];
  /** The number of the word that an order brings, counted from 1, or 0 for none. It may remember the order. */
  code(order: number): number;
}

/** Columns of one recording, each computed once for all who ask for it by the same key. */
export interface Columns {
  /** What a fresh kernel makes of a column. */
  of<In, Out>(kernel: Kernel<In, Out>, input: KernelColumn<In>): KernelColumn<Out>;
  /** How one column stands to another, or to a level. */
  compared<Word extends string>(
    first: KernelColumn<number>,
    second: KernelColumn<number> | number,
    told: OrderWords<Word>,
  ): KernelColumn<Word>;
}

/**
 * One run of an indicator. It takes one value after another with `next`, or many at once with `span`: both leave the same state and
 * bring the same, to the bit, however values are split between them.
 */
export abstract class Kernel<In = number, Out = number> {
  /** What it computes, as a text: fresh kernels of one text bring the same of the same values. Undefined where nobody says. */
  key: string | undefined = undefined;

  /** The indicator's value, or undefined while it has none to give. */
  abstract next(value: In): Out | undefined;

  /** Takes note of the state, which `undo` goes back to. Each takes the place of the one before. */
  abstract keep(): void;
  abstract undo(): void;

  /** Why it takes values one at a time alone; undefined where it takes spans. */
  get oneByOne(): string | undefined {
    return undefined;
  }

  /** Place for what it brings. */
  room(): Batch<Out> {
    return new ValueBatch<Out>();
  }

  /** Takes the first `n` rows of `input`, and puts what each brings into the same row of `out`. A row without a value is passed over. */
  span(input: Batch<In>, out: Batch<Out>, n: number): void {
    for (let row = 0; row < n; row++) {
      const value = input.get(row);
      out.set(row, value === undefined ? undefined : this.next(value));
    }
  }

  /** What it brings of all rows of a column, where it is fresh; columns are shared by kernels of one key. */
  column(input: KernelColumn<In>, columns: Columns): KernelColumn<Out> {
    return columns.of(this, input);
  }

  /** So many rows of the last span have come about: who names values is told the last of each. */
  settle(_rows: number): void {}
}

/** Of numbers, one number for each; what is no finite number is passed over, as if it had not come. */
export abstract class NumberKernel extends Kernel<number, number> {
  /** As `next` for each of the first `n`; NaN where there is nothing. */
  abstract over(input: Float64Array, out: Float64Array, n: number): void;

  override room(): Batch<number> {
    return new Doubles();
  }

  override span(input: Batch<number>, out: Batch<number>, n: number): void {
    if (input instanceof Doubles && out instanceof Doubles) this.over(input.values, out.values, n);
    else super.span(input, out, n);
  }
}

/** Of quotes, one number for each. */
export abstract class QuoteKernel extends Kernel<Quote, number> {
  /** As `next` for each of `n` rows; NaN where there is nothing. */
  abstract over(rows: QuoteRows, out: Float64Array, n: number): void;

  override room(): Batch<number> {
    return new Doubles();
  }

  override span(input: Batch<Quote>, out: Batch<number>, n: number): void {
    if (input instanceof QuoteRows && out instanceof Doubles) this.over(input, out.values, n);
    else super.span(input, out, n);
  }
}

/** A step of one's own, whose state nobody else can keep. */
export class OwnStep<In, Out> extends Kernel<In, Out> {
  private readonly step: (value: In) => Out | undefined;

  constructor(step: (value: In) => Out | undefined) {
    super();
    this.step = step;
  }

  next(value: In): Out | undefined {
    return this.step(value);
  }

  override get oneByOne(): string {
    return 'indicator(...) keeps a state of its own; operator({ next }) of kairos/strategy has one that can be saved';
  }

  keep(): void {}
  undo(): void {}
}

/** Two kernels in a row; what the first leaves out the second does not see. */
export class KernelChain<In, Between, Out> extends Kernel<In, Out> {
  private readonly first: Kernel<In, Between>;
  private readonly second: Kernel<Between, Out>;
  private readonly between: Batch<Between>;

  constructor(first: Kernel<In, Between>, second: Kernel<Between, Out>) {
    super();
    this.first = first;
    this.second = second;
    this.between = first.room();
  }

  next(value: In): Out | undefined {
    const between = this.first.next(value);
    return between === undefined ? undefined : this.second.next(between);
  }

  override span(input: Batch<In>, out: Batch<Out>, n: number): void {
    this.between.reserve(n);
    this.first.span(input, this.between, n);
    this.second.span(this.between, out, n);
  }

  override column(input: KernelColumn<In>, columns: Columns): KernelColumn<Out> {
    return this.second.column(this.first.column(input, columns), columns);
  }

  override get oneByOne(): string | undefined {
    return this.first.oneByOne ?? this.second.oneByOne;
  }

  override room(): Batch<Out> {
    return this.second.room();
  }

  keep(): void {
    this.first.keep();
    this.second.keep();
  }

  undo(): void {
    this.first.undo();
    this.second.undo();
  }

  override settle(rows: number): void {
    this.first.settle(rows);
    this.second.settle(rows);
  }
}

/** Something that is made of each value of another kernel. */
export abstract class Around<In, Of, Out> extends Kernel<In, Out> {
  protected readonly of: Kernel<In, Of>;

  constructor(of: Kernel<In, Of>) {
    super();
    this.of = of;
  }

  override get oneByOne(): string | undefined {
    return this.of.oneByOne;
  }

  keep(): void {
    this.of.keep();
  }

  undo(): void {
    this.of.undo();
  }

  override settle(rows: number): void {
    this.of.settle(rows);
  }
}

/**
 * One operator from a kernel: `start` begins a run for each subscription, and what its `next` returns is emitted, unless that
 * is undefined. A throw ends the stream with its error, as in any rxjs operator. Does in one operator what `map` and `filter`
 * do in two: the quote path is short on purpose.
 */
export function stepped<In, Out>(start: () => Kernel<In, Out>): OperatorFunction<In, Out> {
  return (source) => (source instanceof StepStream ? source.followedBy(start) : new StepStream(source, start));
}

/** A stream of steps. A further step joins them, so that a value goes through one reader however many there are. */
export class StepStream<In, Out> extends Observable<Out> {
  private readonly from: Observable<In>;
  private readonly start: () => Kernel<In, Out>;

  constructor(from: Observable<In>, start: () => Kernel<In, Out>) {
    super((subscriber) => from.subscribe(new Stepper(subscriber, start())));
    this.from = from;
    this.start = start;
  }

  followedBy<Next>(next: () => Kernel<Out, Next>): StepStream<In, Next> {
    return new StepStream(this.from, () => {
      const second = next();
      return new KernelChain(this.start(), second);
    });
  }

  /** The same stream with something around its kernel. */
  within(around: (kernel: Kernel<In, Out>) => Kernel<In, Out>): StepStream<In, Out> {
    return new StepStream(this.from, () => around(this.start()));
  }
}

/** Reads for another reader, whose end is its own: what rxjs makes for its own operators. */
export class Stepper<In, Out> extends Subscriber<In> {
  readonly to: Subscriber<Out>;
  readonly kernel: Kernel<In, Out>;
  /** Values that the kernel has gone through ahead of their turn, and what they bring. */
  ahead: { has(value: In): boolean; next(): Out | undefined } | undefined;

  constructor(to: Subscriber<Out>, kernel: Kernel<In, Out>) {
    super(to);
    this.to = to;
    this.kernel = kernel;
  }

  override next(value: In): void {
    if (this.closed) return;
    let out: Out | undefined;
    try {
      const { ahead } = this;
      out = ahead?.has(value) === true ? ahead.next() : this.kernel.next(value);
    } catch (error) {
      // Not swallowed: it ends the stream, and the host tells it.
      this.error(error);
      return;
    }
    if (out !== undefined) this.to.next(out);
  }
}
