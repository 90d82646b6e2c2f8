import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { accepted, begun, orderFacts, permits, RUN, rejected, sent } from '../adapters/journal/rows.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, startKairos } from '../support/process.ts';

const ORDERS = 3_000;
/** A kill a share of the time that a rotation takes, from its beginning to its end. */
const KILLS = 6;

test('a rotation that is killed leaves one whole journal each time, and the next one goes through', async () => {
  const folder = new DaemonFolder('rotate-kill');
  try {
    const file = path.join(folder.path, 'kairos.db');
    const journal = begun(file);
    for (let n = 1; n <= ORDERS; n += 1) {
      const order = orderFacts(n);
      journal.commit([...permits(order), sent(order), n % 7 ? accepted(order) : rejected(order)]);
    }
    journal.end(RUN, 'stopped');
    journal.close();
    const args = ['journal', 'rotate', '--set', `journal.path=${file}`];
    const before = verifyJournal(file);
    expect(before).toMatchObject({ ok: true, orders: ORDERS });
    const began = performance.now();
    await runKairos(['journal', 'rotate', '--help'], { cwd: folder.path });
    const startsMs = performance.now() - began;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const rotation = startKairos(args, { cwd: folder.path });
      await new Promise((resolve) => setTimeout(resolve, startsMs * (0.7 + kill * 0.25)));
      await rotation.kill();
      expect(verifyJournal(file), `after kill ${kill + 1}`).toMatchObject({ ok: true, orders: ORDERS });
    }
    const last = await runKairos(args, { cwd: folder.path });
    const archives = readdirSync(folder.path).filter((name) => /\.archive-\d+$/.test(name));
    // Where a kill came after the move, there is nothing left to move.
    expect([0, 1]).toContain(last.code);
    expect(archives).toHaveLength(1);
    expect(verifyJournal(file)).toMatchObject({ ok: true, orders: ORDERS, ledger: 'ledger' in before ? before.ledger : undefined });
  } finally {
    await endAll();
    folder.remove();
  }
});
