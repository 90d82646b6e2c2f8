import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { journalFiles } from '#adapters/journal/files.ts';
import type { DecisionRecord } from '#adapters/journal/records.ts';
import type { Disk } from '#lab/simulator/daemon/disk.ts';
import type { Violate } from './finding.ts';
import type { JournalEye } from './journal-eye.ts';

/** The end of a chain of rows. */
interface End {
  readonly seq: number;
  readonly hash: string;
}

interface ChainParts {
  /** The end of the last check. */
  readonly from: End;
  /** The last synced row. */
  readonly synced: End;
  readonly markFile: string;
  readonly violate: Violate;
}

/** Follows the journal's chain from one check to the next. */
export class ChainWatch {
  /** The last checked row. */
  end: End = { seq: 0, hash: '' };
  /** The last synced row. */
  private synced: End = { seq: 0, hash: '' };
  private readonly eye: JournalEye;
  private readonly markFile: string;
  private readonly violate: Violate;

  constructor(eye: JournalEye, disk: Disk, violate: Violate) {
    this.eye = eye;
    this.markFile = journalFiles(disk.journal).mark;
    this.violate = violate;
    disk.onSettled = () => {
      [this.synced = this.synced] = eye.rows<End>('SELECT seq, hash FROM decisions ORDER BY seq DESC LIMIT 1');
    };
  }

  /** Checks what has come since the last check. */
  check(): void {
    const { eye, synced, markFile, violate } = this;
    this.end = checkChain(eye, { from: this.end, synced, markFile, violate });
  }
}

/** Checks the rows after `from` by the documented rule of the chain (I20), and the mark against the last of them. Returns the chain's end. */
export function checkChain(eye: JournalEye, { from, synced, markFile, violate }: ChainParts): End {
  for (const { seq, hash } of [synced, from]) {
    if (seq === 0) continue;
    const [still] = eye.rows<DecisionRecord>('SELECT * FROM decisions WHERE seq = ?', seq);
    if (still?.hash === hash) continue;
    violate('I20', `row ${seq} was on the disk, and ${still ? 'is another one' : 'is gone'}`);
    return from;
  }
  let end = from;
  for (const row of eye.rows<DecisionRecord>('SELECT * FROM decisions WHERE seq > ? ORDER BY seq', end.seq)) {
    const { seq, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail, prev_hash, hash } = row;
    const columns = JSON.stringify([seq, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail]);
    const wanted = createHash('sha256')
      .update(prev_hash + columns)
      .digest('hex');
    const isFirst = end.seq === 0;
    if (seq !== end.seq + 1 || (!isFirst && prev_hash !== end.hash) || hash !== wanted) {
      violate('I20', `row ${seq} of the journal does not follow row ${end.seq}`);
      return end;
    }
    end = { seq, hash };
  }
  if (existsSync(markFile)) {
    const { seq }: { seq: number } = JSON.parse(readFileSync(markFile, 'utf8'));
    if (seq > end.seq) violate('I20', `the high-water mark is at row ${seq}, and the journal ends at ${end.seq}`);
  }
  return end;
}
