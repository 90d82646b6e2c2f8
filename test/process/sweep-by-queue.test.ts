import { describe, expect, test } from 'vitest';
import { isSecretIn, sweepWithFaults } from '../research/workers/with-faults.ts';

const TRIALS = 200;

describe('a sweep by queue', { tags: 'redis-server' }, () => {
  test('over three workers, one killed, one hung and one with another clock, beside an older one, gives the table of one machine byte for byte', async () => {
    const { byQueue, alone, byQueueCsv, aloneCsv, keptAtFault, kept, shown, older, said } = await sweepWithFaults({
      fast: 20,
      seconds: 240,
    });
    const told = /^the worker \S+ is Kairos .* it takes no jobs; install the same Kairos and Node on both\n/m;
    expect([byQueue.code, byQueue.stderr.replace(/^sweep: .*\n/gm, '').replace(told, '')]).toEqual([0, 'wrote queue.csv\n']);
    expect(byQueue.stderr).toMatch(told);
    expect(older.match(/takes no jobs of it/g)).toHaveLength(1);
    expect(keptAtFault).toBeLessThan(TRIALS);
    expect(kept).toBe(TRIALS);
    expect(JSON.parse(shown.stdout)).toMatchObject({ sweeps: [{ wanted: TRIALS }] });
    expect([alone.code, aloneCsv.split('\n')]).toEqual([0, expect.objectContaining({ length: TRIALS + 2 })]);
    expect(byQueue.stdout === alone.stdout).toBe(true);
    expect(byQueueCsv === aloneCsv).toBe(true);
    expect(isSecretIn(said)).toBe(false);
  });
});
