import { config, Observable, Subscriber } from 'rxjs';

// rxjs throws what a subscriber throws in a later turn of the loop, where nobody knows whose it was, unless it is told to
// throw it to whoever caused it. Within `guarded` that is the host, which knows.
config.useDeprecatedSynchronousErrorHandling = true;

/** Takes values, as a stream does. */
interface Taker<T> {
  next(value: T): void;
}

/**
 * Gives values to streams, and throws also what a subscription that a stream's reader made by itself, or that it set off, has
 * thrown: in rxjs's own terms it is a subscription, within which errors are collected.
 */
export function guarded(): <T>(taker: Taker<T>, value: T) => void {
  const given = new Given();
  const giving = new Observable<never>(given.give);
  // A subscriber is a subscription too, so that none is made for each value.
  const nobody = new Subscriber<never>();
  return (taker, value) => {
    given.taker = taker;
    given.value = value;
    given.failed = false;
    giving.subscribe(nobody);
    if (given.failed) throw given.take();
  };
}

/** What is given to whom, and what came of it. */
class Given {
  taker: Taker<unknown> | undefined;
  value: unknown;
  failed = false;
  private thrown: unknown;

  readonly give = (): void => {
    try {
      this.taker?.next(this.value);
    } catch (error) {
      // Thrown on by `guarded`.
      this.failed = true;
      this.thrown = error;
    }
  };

  /** What was thrown; it is told once. */
  take(): unknown {
    const { thrown } = this;
    this.failed = false;
    this.thrown = undefined;
    return thrown;
  }
}
