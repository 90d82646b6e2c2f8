import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { journalFiles } from '#adapters/journal/files.ts';
import { Lease } from '#adapters/journal/lease.ts';

/** Holds the journal that its argument names, and opens and closes files until it is killed or left alone. */
Lease.acquire(journalFiles(process.argv[2] ?? ''), process.pid);
process.stdout.write('held\n');
const starter = process.ppid;
while (process.ppid === starter) for (let n = 0; n < 1000; n += 1) closeSync(openSync(devNull, 'r'));
