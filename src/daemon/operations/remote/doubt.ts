import type { PastAction } from '#daemon/operations/schedule-view.ts';

/** What came where nobody knows whether the service has taken a request; null where it has, or has refused it. */
export function doubtIn({ status, httpStatus, response }: Pick<PastAction, 'status' | 'httpStatus' | 'response'>): string | null {
  if (status === 'asked' && httpStatus === null) return 'no answer so far';
  const isTaken = httpStatus !== null && httpStatus <= 299;
  return status === 'unverified' && !isTaken ? String(httpStatus ?? response) : null;
}
