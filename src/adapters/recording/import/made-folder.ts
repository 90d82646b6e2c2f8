import { mkdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder for recordings, and those above it, where they are missing. `undo` removes what was made, as far as it is empty. */
export function madeFolder(path: string): { readonly undo: () => void } {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  return {
    undo: () => {
      if (first === undefined) return;
      for (let at = path; ; at = dirname(at)) {
        try {
          rmdirSync(at);
        } catch {
          // Somebody else has put something into it.
          return;
        }
        if (at === first) return;
      }
    },
  };
}
