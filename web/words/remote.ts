import type { BadgeTone } from '../parts/badge.tsx';

const TONES: Readonly<Record<string, BadgeTone>> = {
  confirmed: 'good',
  asked: 'even',
  skipped: 'warn',
  unverified: 'warn',
  unknown: 'bad',
  failed: 'bad',
};

/** The colour of each state of a request to the service. */
export const remoteTone = (status: string): BadgeTone => TONES[status] ?? 'even';
