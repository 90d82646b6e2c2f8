import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { checkChain } from './chain-check.ts';
import type { Violate } from './finding.ts';
import { JournalEye } from './journal-eye.ts';

const NOTHING = { seq: 0, hash: '' };

/** Checks that each backup is complete and equals the journal at its time, whatever happened to other copies (F52). */
export function checkBackups(eye: JournalEye, folder: string, violate: Violate): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.db'))) {
    const copy = new JournalEye(path.join(folder, name));
    const found = (_: string, what: string): void => violate('F52', `backup ${name}: ${what}`);
    const { seq, hash } = checkChain(copy, { from: NOTHING, synced: NOTHING, markFile: '', violate: found });
    copy.close();
    const [row] = eye.rows<{ hash: string }>('SELECT hash FROM decisions WHERE seq = ?', seq);
    if (row?.hash !== hash) violate('F52', `backup ${name} ends with a row ${seq} that the journal does not have`);
  }
}
