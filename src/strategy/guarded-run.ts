import { config, Subject } from 'rxjs';

// rxjs throws what a subscriber throws in a later turn of the loop, where nobody knows whose it was, unless it is told to
// throw it to whoever caused it. Within `guarded` that is the host, which knows.
config.useDeprecatedSynchronousErrorHandling = true;

/**
 * Runs code, and throws also what a subscription that it made by itself, or that it set off, has thrown: in rxjs's own terms
 * it runs as the subscriber of a stream, within which errors are collected.
 */
export function guardedRuns(): (run: () => void) => void {
  const runs = new Subject<() => void>();
  runs.subscribe((run) => run());
  return (run) => runs.next(run);
}
