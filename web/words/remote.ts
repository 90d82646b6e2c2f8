import type { Tone } from '../parts/badge.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  confirmed: 'good',
  asked: 'even',
  skipped: 'warn',
  unverified: 'warn',
  unknown: 'bad',
  failed: 'bad',
};

/** How what is known of a request to the service is coloured. */
export const remoteTone = (status: string): Tone => TONES[status] ?? 'even';
