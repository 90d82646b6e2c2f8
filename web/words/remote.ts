import type { StateTone } from '#domain/state-tone.ts';

const TONES: Readonly<Record<string, StateTone>> = {
  confirmed: 'good',
  asked: 'even',
  skipped: 'warn',
  unverified: 'warn',
  unknown: 'bad',
  failed: 'bad',
};

/** The colour of each state of a request to the service. */
export const remoteTone = (status: string): StateTone => TONES[status] ?? 'even';
