import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Child } from './live/child.ts';
import { type BenchLane, type Noted, type SideName, type SliceReport, type Subscribed, USERS } from './live/protocol.ts';
import { liveResult, type Slice } from './live/result.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './result.ts';
import { inScratch } from './scratch.ts';

const PRODUCTS = ['btc', 'eth', 'sol', 'ada', 'xrp', 'ltc', 'dot', 'bch', 'uni', 'xlm'];
const SIDES: readonly SideName[] = ['kairos', 'bare'];
const OPEN_WITHIN_MS = 60_000;
const LOOK_MS = 50;
const SLICE_MS = 5_000;
/** Orders on their way when the quotes stop arrive in this time; those that do not are shown as missing. */
const SETTLE_MS = 600;

/**
 * From a frame on the wire to an order on the wire, the real daemon beside the bare loop, with `count` connections at two
 * quotes a second each. Both sides are processes that live through the whole of it; the one service plays to one of
 * them at a time, in turns.
 */
export async function benchLive(count: number, { quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch(async (folder) => {
    const lanes = lanesOf(count);
    const children: Child[] = [];
    const start = (name: string, facts: object): Child => {
      const child = Child.start(name, facts);
      children.push(child);
      return child;
    };
    try {
      const service = start('service', {});
      const baseUrl = await service.ask<string>({ ask: 'url' });
      const opened = async (side: SideName): Promise<Child> => {
        const own = join(folder, side);
        mkdirSync(own);
        const child = start(`${side}-side`, { folder: own, baseUrl, user: USERS[side], lanes });
        await subscribed(service, { child, user: USERS[side], count });
        return child;
      };
      const processes: Readonly<Record<SideName, Child>> = { kairos: await opened('kairos'), bare: await opened('bare') };
      const slices: Record<SideName, Slice[]> = { kairos: [], bare: [] };
      const rounds = quick ? 1 : count === 1 ? 5 : 8;
      for (let round = 0; round < rounds + (quick ? 0 : 1); round++) {
        for (const side of SIDES) {
          const slice = await playTo(side, { service, child: processes[side], forMs: quick ? 2_500 : SLICE_MS });
          if (quick || round > 0) slices[side].push(slice);
        }
      }
      return liveResult(count, slices);
    } finally {
      for (const child of children.reverse()) await child.end();
    }
  });
}

/** Two lanes trade, half a period apart: two orders a second each. The others only listen. */
function lanesOf(count: number): readonly BenchLane[] {
  const half = Math.floor(count / 2);
  return Array.from({ length: count }, (_, index) => ({
    product: `${PRODUCTS[index % PRODUCTS.length]}usd`,
    size: (100 + index) / 10_000,
    trades: index === 0 || index === half,
  }));
}

async function subscribed(service: Child, side: { readonly child: Child; readonly user: string; readonly count: number }): Promise<void> {
  const { child, user, count } = side;
  for (let waitedMs = 0; waitedMs < OPEN_WITHIN_MS && !child.isGone; waitedMs += LOOK_MS) {
    const now = await service.ask<Subscribed>({ ask: 'subscribed', user });
    if (now.count === count) return;
    await pause(LOOK_MS);
  }
  throw new Error(`user ${user} did not open its ${count} lanes${child.isGone ? ' and ended' : ` within ${OPEN_WITHIN_MS / 1000} s`}`);
}

async function playTo(side: SideName, { service, child, forMs }: { service: Child; child: Child; forMs: number }): Promise<Slice> {
  await child.ask({ ask: 'begin' });
  await service.ask({ ask: 'play', user: USERS[side] });
  await pause(forMs);
  await service.ask({ ask: 'play', user: null });
  await pause(SETTLE_MS);
  const report = await child.ask<SliceReport>({ ask: 'end' });
  return { report, noted: await service.ask<Noted>({ ask: 'arrivals' }) };
}
