import { NO_BOOKS } from '#domain/past-books.ts';
import { NO_PAST_RISK } from '#domain/past-risk.ts';
import type { Recovered } from './recovery.ts';

/** What the first run of an empty journal begins with, for runs that have no journal. */
export const NOTHING_BEFORE: Recovered = {
  lastInboxSeq: 0,
  books: NO_BOOKS,
  unknowns: [],
  latches: [],
  openings: [],
  exits: [],
  works: [],
  peaks: [],
  hands: [],
  learned: [],
  states: {},
  risk: NO_PAST_RISK,
  schedule: [],
  unanswered: [],
  financedUpTo: null,
  usedQuotes: [],
  creates: [],
  snapshotFault: null,
};
