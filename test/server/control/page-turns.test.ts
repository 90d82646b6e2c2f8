import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { PageStream } from '#server/page/stream.ts';
import type { PageTarget } from '#server/page/target.ts';
import { emptyState, HELLO } from '../../support/empty-state.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { waitFor } from '../../support/wait-for.ts';

const PAGES = 20;

test('a quote waits for one write at most, however many pages are told: the loop takes a turn after each', async () => {
  let turn = 0;
  let isOver = false;
  const next = (): void => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  const told: { readonly what: string; readonly turn: number }[] = [];
  class Page extends ServerResponse {
    override write(bytes: Buffer): boolean {
      const what = /event: (\w+)/.exec(String(bytes))?.[1] ?? '';
      told.push({ what: what === 'change' ? 'state' : what, turn });
      return true;
    }
  }
  let events = 1;
  const target: Pick<PageTarget, 'hello' | 'state' | 'turn' | 'soon' | 'end' | 'feed' | 'past'> = {
    hello: () => HELLO,
    state: () => emptyState(events),
    turn: () => events,
    soon: (run) => void setImmediate(run),
    end: async () => events,
    feed: async (after) => (after < events ? [{ seq: events, json: '{}' }] : []),
    past: async () => ({ json: JSON.stringify({ events }), whole: true }),
  };
  const timers = new VirtualTimers();
  const stream = new PageStream(target as PageTarget, timers);
  const turnsOf = (what: string): readonly number[] => told.filter((one) => one.what === what).map((one) => one.turn);
  setImmediate(next);
  for (let page = 0; page < PAGES; page++) stream.join(new Page(new IncomingMessage(new Socket())), null);
  for (const round of [1, 2]) {
    for (const what of ['state', 'past', 'decision']) {
      expect(await waitFor(() => turnsOf(what).length === round * PAGES || undefined)).toBe(true);
      expect(new Set(turnsOf(what)).size).toBe(round * PAGES);
    }
    events += 1;
    timers.advance(500);
  }
  isOver = true;
  stream.close();
});
