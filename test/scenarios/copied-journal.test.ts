import { cpSync, renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeAct } from '#adapters/journal/acts.ts';
import { rotateAtRest } from '#adapters/journal/rotate.ts';
import { hold, mid, strategy } from '#core/strategy/index.ts';
import { folder } from '../config/support.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const idle = strategy({ name: 'idle', signals: ({ quotes$ }) => quotes$.pipe(mid()), decide: () => hold('waits') });
const ARM = { act: 'arm', who: 'ann', why: 'checked', configHash: 'hash', config: '{}', build: 'build' } as const;

const rig = rigsOfTests({ strategies: { s: idle }, arming: { arm: 'manual' } });

function armed(options: Partial<RigOptions> = {}): Rig {
  const r = rig(options);
  r.give({ kind: 'command', command: ARM });
  return r;
}

function stopped(r: Rig): Rig {
  r.give({ kind: 'command', command: { act: 'stop', who: 'SIGTERM', why: 'asked' } });
  r.end();
  r.crash();
  return r;
}

const trading = (r: Rig): string => r.engine.snapshot(r.clock.now()).trading;

/** A folder that takes what is in another one, as a copy. */
function copyOf(from: string): string {
  const to = path.join(folder(), 'copy');
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  return to;
}

describe('row 7: what a person armed stays armed in its place', () => {
  test.each<[string, (r: Rig) => Promise<Partial<RigOptions>> | Partial<RigOptions>]>([
    ['over a stop', (r) => ({ folder: stopped(r).folder })],
    [
      'over a rotation',
      async (r) => {
        await rotateAtRest(stopped(r).path, r.clock.now());
        return { folder: r.folder };
      },
    ],
    [
      'where the volume is mounted at another path',
      (r) => {
        const moved = path.join(folder(), 'mounted');
        renameSync(stopped(r).folder, moved);
        return { folder: moved };
      },
    ],
  ])('%s', async (_, restart) => {
    const first = armed();
    expect(trading(first)).toBe('ACTIVE');
    const second = rig({ ...(await restart(first)), startAt: first.clock.now() + 1000 });
    expect(trading(second)).toBe('ACTIVE');
  });

  test('over a kill, which is followed by REDUCING alone', () => {
    const first = armed();
    first.crash();
    expect(trading(rig({ folder: first.folder, startAt: first.clock.now() + 1000 }))).toBe('REDUCING');
  });

  test('also where it was armed while no daemon ran', () => {
    const first = stopped(rig());
    writeAct(first.path, ARM, first.clock.now());
    expect(trading(rig({ folder: first.folder, startAt: first.clock.now() + 1000 }))).toBe('ACTIVE');
  });
});

describe('row 7: a copy is DISARMED until a person arms it, and the first one stays armed', () => {
  test.each<[string, (r: Rig) => Partial<RigOptions>]>([
    ['a copied folder', (r) => ({ folder: copyOf(r.folder) })],
    ['the whole disk in another machine', (r) => ({ folder: r.folder, machine: 'another' })],
  ])('%s', (_, elsewhere) => {
    const first = stopped(armed());
    const startAt = first.clock.now() + 1000;
    const copy = rig({ ...elsewhere(first), startAt });
    expect(trading(copy)).toBe('DISARMED');
    expect(copy.notices).toContain(
      'error: DISARMED, no order goes out until `kairos arm`: this journal was armed in another place: it is a copy, or was moved',
    );
    copy.give({ kind: 'command', command: ARM });
    expect(trading(copy)).toBe('ACTIVE');
  });

  test('a copy that was armed at rest trades, and the first goes on as before', () => {
    const first = stopped(armed());
    const copied = copyOf(first.folder);
    const startAt = first.clock.now() + 1000;
    writeAct(path.join(copied, 'kairos.db'), ARM, startAt);
    expect(trading(rig({ folder: copied, startAt }))).toBe('ACTIVE');
    expect(trading(rig({ folder: first.folder, startAt }))).toBe('ACTIVE');
  });
});
