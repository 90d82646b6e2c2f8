import { expect, test } from 'vitest';
import { otherRun } from '../support/other-run.ts';
import type { Ways } from '../support/other-service.ts';
import { waitFor } from '../support/wait-for.ts';

/** A service that closes a connection when another one opens. */
let connections = 0;
const oneAlone: Ways = {
  connected(connection, all) {
    connections += 1;
    for (const other of all) if (other !== connection) other.close(1008);
  },
};

test('a service that allows one connection a user: with several, one line names the settings; with one, it is traded on', async () => {
  const several = await otherRun({ ways: oneAlone });
  try {
    const told = (): number => several.notices.filter((line) => /set lanes\.max: 1 and lanes\.reserve: 0/.test(line)).length;
    await waitFor(() => told() > 0 || undefined);
    const before = connections;
    await waitFor(() => connections >= before + 6 || undefined);
    expect(told()).toBe(1);
  } finally {
    await several.stop();
  }
  const one = await otherRun({ ways: oneAlone, settings: 'lanes: { max: 1, reserve: 0 }' });
  try {
    expect(await one.trades(2), one.notices.join('\n')).toBe(true);
    expect(one.notices.join('\n')).not.toMatch(/lanes\.max: 1/);
  } finally {
    await one.stop();
  }
});
