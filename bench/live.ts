import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Child } from './live/child.ts';
import { type BenchLane, type ServiceNotes, type SliceReport, type SubscribedCount, USERS } from './live/protocol.ts';
import { liveResult, type Slice } from './live/result.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './result.ts';
import { inScratch } from './scratch.ts';

const PRODUCTS = ['btc', 'eth', 'sol', 'ada', 'xrp', 'ltc', 'dot', 'bch', 'uni', 'xlm'];
const OPEN_WITHIN_MS = 100_000;
const LOOK_MS = 50;
const SLICE_MS = 5_000;
/** Orders on their way when the quotes stop arrive in this time; those that do not are shown as missing. */
const SETTLE_MS = 600;

/** One of two processes that are played to in turns. */
export interface LiveSide {
  /** Its folder's name. */
  readonly name: string;
  /** Its module in `live`, and what it is started with besides its lanes. */
  readonly module: 'kairos-side' | 'bare-side';
  readonly user: string;
  readonly facts?: object;
}

/**
 * From a frame on the wire to an order on the wire, the real daemon beside the bare loop, with `count` connections at two
 * quotes a second each.
 */
export async function benchLive(count: number, { quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const sides = [
    { name: 'kairos', module: 'kairos-side', user: USERS.kairos },
    { name: 'bare', module: 'bare-side', user: USERS.bare },
  ] as const;
  const rounds = quick ? 1 : count === 1 ? 5 : 8;
  const [kairos, bare] = await playInTurns(sides, { lanes: lanesOf(count), rounds, quick });
  return liveResult(count, { kairos, bare });
}

/**
 * Both sides are processes that live through the whole of it; the one service plays to one of them at a time, in turns.
 * Returns what each did in its turns.
 */
export function playInTurns(
  sides: readonly [LiveSide, LiveSide],
  { lanes, rounds, quick }: { readonly lanes: readonly BenchLane[]; readonly rounds: number; readonly quick: boolean },
): Promise<readonly [Slice[], Slice[]]> {
  return onService(async (opened) => {
    const players = [await opened(sides[0], lanes), await opened(sides[1], lanes)] as const;
    const forMs = quick ? 2_500 : SLICE_MS;
    const slices: readonly [Slice[], Slice[]] = [[], []];
    for (let round = 0; round < rounds + (quick ? 0 : 1); round++) {
      for (const side of [0, 1] as const) slices[side].push(await players[side](forMs));
    }
    const warmUp = quick ? 0 : 1;
    return [slices[0].slice(warmUp), slices[1].slice(warmUp)];
  });
}

/** Plays to a side for some time, and returns what it did; `how` goes with the beginning of the slice. */
export type Player = (forMs: number, how?: object) => Promise<Slice>;

/** A service, to which `work` opens the processes that it plays to; all are ended at its end. */
export function onService<Result>(
  work: (opened: (side: LiveSide, lanes: readonly BenchLane[]) => Promise<Player>) => Promise<Result>,
): Promise<Result> {
  return inScratch(async (folder) => {
    const children: Child[] = [];
    const start = (name: string, facts: object): Child => {
      const child = Child.start(name, facts);
      children.push(child);
      return child;
    };
    try {
      const service = start('service', {});
      const baseUrl = await service.ask<string>({ ask: 'url' });
      return await work(async ({ name, module, user, facts }, lanes) => {
        const own = join(folder, name);
        mkdirSync(own);
        const child = start(module, { ...facts, folder: own, baseUrl, user, lanes });
        await subscribed(service, { child, user, count: lanes.length });
        return (forMs, how = {}) => playTo(user, { service, child, forMs, how });
      });
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
    const now = await service.ask<SubscribedCount>({ ask: 'subscribed', user });
    if (now.count === count) return;
    await pause(LOOK_MS);
  }
  throw new Error(`user ${user} did not open its ${count} lanes${child.isGone ? ' and ended' : ` within ${OPEN_WITHIN_MS / 1000} s`}`);
}

async function playTo(
  user: string,
  { service, child, forMs, how }: { readonly service: Child; readonly child: Child; readonly forMs: number; readonly how: object },
): Promise<Slice> {
  await child.ask({ ...how, ask: 'begin' });
  await service.ask({ ask: 'play', user });
  await pause(forMs);
  await service.ask({ ask: 'play', user: null });
  await pause(SETTLE_MS);
  const report = await child.ask<SliceReport>({ ask: 'end' });
  return { report, noted: await service.ask<ServiceNotes>({ ask: 'arrivals' }) };
}
