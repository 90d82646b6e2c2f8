import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from './rows.ts';

/** Runs a command with a disk of 12 MB of its own at `dir`, gone with the process; needs Linux and the right to mount. */
function onSmallDisk(dir: string, command: string) {
  const script = `mount -t tmpfs -o size=12m none '${dir}' && ${command}`;
  return spawnSync('unshare', ['-rm', 'sh', '-c', script], { encoding: 'utf8', timeout: 60_000 });
}

// The mount hides the folder in a name space of its own, and nowhere else.
const canMount = process.platform === 'linux' && onSmallDisk(import.meta.dirname, 'true').status === 0;

describe('F46 F52 the disk is full', () => {
  test.skipIf(!canMount)('the halt is still written, reads go on, the older backup stands (needs Linux and the right to mount)', () => {
    const dir = folder();
    const { stdout, stderr } = onSmallDisk(dir, `'${process.execPath}' '${join(import.meta.dirname, 'child-full-disk.ts')}' '${dir}'`);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      backup: 'BACKUP_FAILED',
      oldBackup: true,
      fault: expect.stringMatching(/^(JOURNAL|RECORDING)_FAULT$/),
      last: ['halted JOURNAL_FAULT'],
      verdict: true,
      next: expect.stringMatching(/^(laid|JOURNAL_FAULT)$/),
    });
  });
});
