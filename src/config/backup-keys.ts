import { key } from '#domain/settings/key.ts';
import { flag, optional, or, path, whole } from '#domain/settings/kind.ts';
import { duration } from '#domain/settings/spans.ts';

/** Backups of the journal that a running daemon makes by itself. */
export const BACKUP_KEYS = {
  dir: key(optional(path), null, 'folder of the backups that a running daemon makes; without it none are made'),
  every: key(or('never', duration), '1d', 'how long from one to the next, the first a minute after the start; never: only by bot.backup'),
  keep: key(whole({ min: 1, max: 10_000 }), 7, 'how many of them are kept, the newest'),
};

/** When a start moves the journal's decisions to an archive. */
export const ROTATE_KEYS = {
  decisions: key(
    optional(whole({ min: 1_000 })),
    null,
    'decisions, of about 1 kB each, after which a start moves them to an archive beside the journal; without it none are moved',
  ),
  monthly: key(flag, false, 'a start also moves them where the first of them is of an earlier month, in UTC'),
};
