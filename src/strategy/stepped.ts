import { Observable, type OperatorFunction } from 'rxjs';

/**
 * One operator from a function that keeps its own state: `start` begins a run for each subscription, and what its step
 * returns is emitted, unless that is undefined. A throw ends the stream with its error, as in any rxjs operator. Does in
 * one operator what `map` and `filter` do in two: the quote path is short on purpose.
 */
export function stepped<In, Out>(start: () => (value: In) => Out | undefined): OperatorFunction<In, Out> {
  return (source) =>
    new Observable((subscriber) => {
      const step = start();
      return source.subscribe({
        next: (value) => {
          let out: Out | undefined;
          try {
            out = step(value);
          } catch (error) {
            // Not swallowed: it ends the stream, and the host tells it.
            subscriber.error(error);
            return;
          }
          if (out !== undefined) subscriber.next(out);
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
    });
}
