import { readFileSync } from 'node:fs';

/** How long the main thread has waited for a processor since the start, in milliseconds; 0 where the system does not say. */
export function starvedMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6 || 0;
  } catch {
    // Not Linux, or no file can be opened now.
    return 0;
  }
}
