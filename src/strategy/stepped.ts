import { Observable, type OperatorFunction, Subscriber } from 'rxjs';

type Step<In, Out> = (value: In) => Out | undefined;

/**
 * One operator from a function that keeps its own state: `start` begins a run for each subscription, and what its step
 * returns is emitted, unless that is undefined. A throw ends the stream with its error, as in any rxjs operator. Does in
 * one operator what `map` and `filter` do in two: the quote path is short on purpose.
 */
export function stepped<In, Out>(start: () => Step<In, Out>): OperatorFunction<In, Out> {
  return (source) => new Observable((subscriber) => source.subscribe(new Stepper(subscriber, start())));
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
