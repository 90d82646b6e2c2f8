import type { Tone } from '../parts/badge.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  confirmed: 'good',
  asked: 'even',
  skipped: 'warn',
  unverified: 'warn',
  unknown: 'bad',
  failed: 'bad',
};

/** The colour of each state of a request to the service. */
export const remoteTone = (status: string): Tone => TONES[status] ?? 'even';
