import { Observable, type OperatorFunction, Subscriber } from 'rxjs';
import { Chained, type Kernel } from './kernel.ts';

/**
 * One operator from a kernel: `start` begins a run for each subscription, and what its `next` returns is emitted, unless that
 * is undefined. A throw ends the stream with its error, as in any rxjs operator. Does in one operator what `map` and `filter`
 * do in two: the quote path is short on purpose.
 */
export function stepped<In, Out>(start: () => Kernel<In, Out>): OperatorFunction<In, Out> {
  return (source) => (source instanceof Stepped ? source.followedBy(start) : new Stepped(source, start));
}

/** A stream of steps. A further step joins them, so that a value goes through one reader however many there are. */
export class Stepped<In, Out> extends Observable<Out> {
  private readonly from: Observable<In>;
  private readonly start: () => Kernel<In, Out>;

  constructor(from: Observable<In>, start: () => Kernel<In, Out>) {
    super((subscriber) => from.subscribe(new Stepper(subscriber, start())));
    this.from = from;
    this.start = start;
  }

  followedBy<Next>(next: () => Kernel<Out, Next>): Stepped<In, Next> {
    return new Stepped(this.from, () => {
      const second = next();
      return new Chained(this.start(), second);
    });
  }

  /** The same stream with something around its kernel. */
  within(around: (kernel: Kernel<In, Out>) => Kernel<In, Out>): Stepped<In, Out> {
    return new Stepped(this.from, () => around(this.start()));
  }
}

/** Reads for another reader, whose end is its own: what rxjs makes for its own operators. */
export class Stepper<In, Out> extends Subscriber<In> {
  readonly to: Subscriber<Out>;
  readonly kernel: Kernel<In, Out>;
  /** Values that the kernel has gone through ahead of their turn, and what they bring. */
  ahead: { has(value: In): boolean; take(): Out | undefined } | undefined;

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
      out = ahead?.has(value) === true ? ahead.take() : this.kernel.next(value);
    } catch (error) {
      // Not swallowed: it ends the stream, and the host tells it.
      this.error(error);
      return;
    }
    if (out !== undefined) this.to.next(out);
  }
}
