import type { Journal } from '../../ports/journal.ts';
import type { Heartbeat } from './heartbeat.ts';

/** The journal, publishing that a commit is being made while one is. */
export function watchedJournal(journal: Journal, heartbeat: Heartbeat): Journal {
  return {
    commit: (decisions) => heartbeat.duringCommit(() => journal.commit(decisions)),
    defer: (decisions) => journal.defer(decisions),
    write: () => heartbeat.duringCommit(() => journal.write()),
    flush: () => heartbeat.duringCommit(() => journal.flush()),
    end: (run, endState) => journal.end(run, endState),
  };
}
