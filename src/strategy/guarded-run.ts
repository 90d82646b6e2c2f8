import { config, Subject, Subscriber } from 'rxjs';

// rxjs throws what a subscriber throws in a later turn of the loop, where nobody knows whose it was, unless it is told to
// throw it to whoever caused it. Within `guarded` that is the host, which knows.
config.useDeprecatedSynchronousErrorHandling = true;

/** Takes values, as a stream does. */
interface Taker<T> {
  next(value: T): void;
}

/**
 * Gives values to streams, and throws also what a subscription that a stream's reader made by itself, or that it set off, has
 * thrown: in rxjs's own terms it is a stream, within which errors are collected.
 */
export function guarded(): <T>(taker: Taker<T>, value: T) => void {
  const runner = new Runner();
  const runs = new Subject<Taker<unknown>>();
  runs.subscribe(runner);
  return (taker, value) => {
    runner.value = value;
    runner.failed = false;
    runs.next(taker);
    if (runner.failed) throw runner.take();
  };
}

/** Catches by itself: rxjs's own readers need three calls more for it. */
class Runner extends Subscriber<Taker<unknown>> {
  value: unknown;
  failed = false;
  private thrown: unknown;

  /** What was thrown; it is told once. */
  take(): unknown {
    const { thrown } = this;
    this.failed = false;
    this.thrown = undefined;
    return thrown;
  }

  override next(taker: Taker<unknown>): void {
    try {
      taker.next(this.value);
    } catch (error) {
      // Thrown on by `guarded`.
      this.failed = true;
      this.thrown = error;
    }
  }
}
