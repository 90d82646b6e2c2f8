import { Observable, type OperatorFunction, Subscriber } from 'rxjs';

type Step<In, Out> = (value: In) => Out | undefined;

/**
 * One operator from a function that keeps its own state: `start` begins a run for each subscription, and what its step
 * returns is emitted, unless that is undefined. A throw ends the stream with its error, as in any rxjs operator. Does in
 * one operator what `map` and `filter` do in two: the quote path is short on purpose.
 */
export function stepped<In, Out>(start: () => Step<In, Out>): OperatorFunction<In, Out> {
  return (source) => (source instanceof Stepped ? source.followedBy(start) : new Stepped(source, start));
}

/** A stream of steps. A further step joins them, so that a value goes through one reader however many there are. */
class Stepped<In, Out> extends Observable<Out> {
  private readonly from: Observable<In>;
  private readonly start: () => Step<In, Out>;

  constructor(from: Observable<In>, start: () => Step<In, Out>) {
    super((subscriber) => from.subscribe(new Stepper(subscriber, start())));
    this.from = from;
    this.start = start;
  }

  followedBy<Next>(next: () => Step<Out, Next>): Stepped<In, Next> {
    return new Stepped(this.from, () => {
      const second = next();
      const first = this.start();
      return (value) => {
        const between = first(value);
        return between === undefined ? undefined : second(between);
      };
    });
  }
}

/** Reads for another reader, whose end is its own: what rxjs makes for its own operators. */
class Stepper<In, Out> extends Subscriber<In> {
  private readonly to: Subscriber<Out>;
  private readonly step: Step<In, Out>;

  constructor(to: Subscriber<Out>, step: Step<In, Out>) {
    super(to);
    this.to = to;
    this.step = step;
  }

  protected override _next(value: In): void {
    let out: Out | undefined;
    try {
      out = this.step(value);
    } catch (error) {
      // Not swallowed: it ends the stream, and the host tells it.
      this.error(error);
      return;
    }
    if (out !== undefined) this.to.next(out);
  }
}
