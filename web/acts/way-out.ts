import type { LatchView } from '#server/page/past-view.ts';

/** What to do first, by the code of what latched trading; then the act that ends it. */
const FIRST: Readonly<Record<string, string>> = {
  BY_PERSON: 'Ask who set it, and resume when the cause is gone.',
  BY_SCHEDULE: 'A line of the schedule asked for it: see Schedule below, and resume when you want to trade again.',
  MAX_UNKNOWN: 'Settle the orders of unknown outcome first: look into the account, and say of each what became of it.',
  JOURNAL_FAULT: 'Free space on the disk, start the daemon again, then resume. Orders on their way are unknown until settled.',
  SECOND_UNAUTHORIZED: 'The service refuses key, time or signature: check API key and secret, and the clock of this machine, then resume.',
  HTTP_FORBIDDEN: 'The service refuses this user: ask the service why, then resume.',
  CERTIFICATE:
    'The certificate of the service could not be verified: check service.baseUrl, and the network between. Resume only when the certificate is right.',
  CRASH_LOOP: 'The daemon crashed again and again: read its log, fix the cause, then resume.',
  UNCAUGHT: 'An error was not caught anywhere: read the log, start the daemon again if it has ended, then resume.',
  DRILL_FAILED: 'A drill found that a halt does not stop orders. Do not trade with this installation until that is explained.',
  START_UNSURE: 'The previous run did not end cleanly. Check positions and open orders against the account, then resume.',
  MAX_DAY_LOSS: 'Positions are still closed. Find out what lost money before you resume; resuming starts the count of the loss again.',
  MAX_DRAWDOWN: 'Positions are still closed. Find out what lost money before you resume; resuming starts the count of the loss again.',
  LOSS_STREAK: 'Positions are still closed. Look at the last closes before you resume.',
  REJECTION_STREAK: 'The service rejects order after order: read its answers in the feed, then resume.',
  TOKEN_GONE: 'There is no valid bearer token: renew the sign-in (service.token, or username and password), then resume.',
};

const BY_KIND: Readonly<Record<LatchView['kind'], string>> = {
  halted: 'No order goes out until somebody resumes.',
  reducing: 'Only orders that make a position smaller go out, until somebody arms or resumes.',
  disarmed: 'No order goes out: this configuration or code was not armed by a person. Arm it once you have seen its limits.',
  paused: 'Nothing is opened until somebody resumes; positions are still closed.',
  disabled: 'It does not run until somebody enables it. Fix the cause first.',
};

/** What to do before a latch is ended; undefined if nothing. */
export const wayOut = ({ kind, reason }: Pick<LatchView, 'kind' | 'reason'>): string | undefined =>
  kind === 'paused' || kind === 'disabled' ? undefined : FIRST[reason ?? ''];

/** What a latch prevents, and for how long. */
export const effectOf = (kind: LatchView['kind']): string => BY_KIND[kind];
