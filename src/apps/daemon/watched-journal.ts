import type { Journal } from '#ports/journal.ts';
import type { Timers } from '#ports/timers.ts';
import type { RunMetrics } from '#server/metrics/run-metrics.ts';
import type { Heartbeat } from './heartbeat.ts';

/** The journal, publishing that a commit is being made while one is, and handing its rows to what counts them. */
export function watchedJournal(
  journal: Journal,
  watching: { readonly heartbeat: Heartbeat; readonly metrics: RunMetrics; readonly timers: Pick<Timers, 'monotonicMs'> },
): Journal {
  const { heartbeat, metrics, timers } = watching;
  return {
    commit(decisions) {
      const from = timers.monotonicMs();
      heartbeat.duringCommit(() => journal.commit(decisions));
      metrics.journaled(decisions, timers.monotonicMs() - from);
    },
    defer(decisions) {
      journal.defer(decisions);
      metrics.journaled(decisions);
    },
    write: () => heartbeat.duringCommit(() => journal.write()),
    flush: () => heartbeat.duringCommit(() => journal.flush()),
    end: (run, endState) => journal.end(run, endState),
  };
}
