import { key } from './key.ts';
import { optional, or, whole } from './kind.ts';
import { path } from './special-kinds.ts';
import { duration } from './trading-kinds.ts';

/** Backups of the journal that a running daemon makes by itself. */
export const BACKUP_KEYS = {
  dir: key(optional(path), null, 'folder of the backups that a running daemon makes; without it none are made'),
  every: key(or('never', duration), '1d', 'how long from one to the next, the first a minute after the start; never: only by bot.backup'),
  keep: key(whole({ min: 1, max: 10_000 }), 7, 'how many of them are kept, the newest'),
};
