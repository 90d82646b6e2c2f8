import type { TimeState } from '#domain/time-state.ts';

/** True if the time itself is in doubt: a machine that is late has a clock all the same. */
export const isClockWrong = ({ reason }: Pick<TimeState, 'reason'>): boolean => reason !== null && reason !== 'LAG';
