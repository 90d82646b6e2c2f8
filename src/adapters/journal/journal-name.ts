import path from 'node:path';

/** What a daemon is called after its journal: in its usual place by the folder of the daemon. */
export function journalName(journal: string): string {
  const { dir, base } = path.parse(journal);
  return base === 'kairos.db' && path.basename(dir) === 'var' ? path.basename(path.dirname(dir)) : base.replace(/\.db$/, '');
}
