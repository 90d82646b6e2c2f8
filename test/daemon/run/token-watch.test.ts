import { expect, test } from 'vitest';
import type { TokenState } from '#adapters/service-client/rest/session.ts';
import { watchToken } from '#daemon/run/service-watch.ts';
import { KairosError } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const MINUTE = 60_000;

/** A session of an hour that a test may let fail. */
function bed({ lifeMs = 60 * MINUTE, canRenew = true }: { lifeMs?: number; canRenew?: boolean } = {}) {
  const timers = new VirtualTimers();
  const start = timers.wallMs();
  let since = start;
  let failing = false;
  let renewals = 0;
  const posted: InboxEvent[] = [];
  const notices: string[] = [];
  const session = {
    get state(): TokenState {
      return { good: timers.wallMs() < since + lifeMs, lapsesMs: since + lifeMs, sinceMs: since, canRenew };
    },
    async renew() {
      renewals += 1;
      if (failing) throw new KairosError('SERVICE_UNREACHABLE', 'nobody there');
      since = timers.wallMs();
      return 'token';
    },
  };
  const stop = watchToken({ session, timers, notice: (_level, text) => notices.push(text), post: (event) => posted.push(event) });
  return {
    notices,
    posted,
    timers,
    stop,
    renewals: () => renewals,
    fail(on: boolean) {
      failing = on;
    },
    /** Moves time by whole seconds, letting promises go on between. */
    async passes(ms: number) {
      for (let done = 0; done < ms; done += 1000) {
        timers.advance(1000);
        await Promise.resolve();
        await Promise.resolve();
      }
    },
  };
}

test('F18 a token is renewed a quarter of an hour before it lapses, and nobody hears of it', async () => {
  const b = bed();
  await b.passes(44 * MINUTE);
  expect(b.renewals()).toBe(0);
  await b.passes(2 * MINUTE);
  expect(b.renewals()).toBe(1);
  await b.passes(5 * 60 * MINUTE);
  expect([b.notices, b.posted]).toEqual([[], []]);
});

test('F18 a token that cannot be renewed alarms ten minutes before it lapses, once, and the engine hears a minute after it is gone', async () => {
  const b = bed();
  b.fail(true);
  await b.passes(49 * MINUTE);
  expect(b.notices).toEqual([]);
  await b.passes(2 * MINUTE);
  expect(b.notices).toEqual([expect.stringMatching(/expires at .* was not renewed: nobody there/)]);
  await b.passes(9 * MINUTE + 50_000);
  expect(b.posted).toEqual([]);
  await b.passes(15_000);
  expect(b.posted).toEqual([{ kind: 'condition', name: 'token', on: true, figure: expect.any(Number) }]);
  // Asked again and again, but not at every look.
  expect(b.renewals()).toBeGreaterThan(10);
  expect(b.renewals()).toBeLessThan(40);
  b.fail(false);
  await b.passes(2 * MINUTE);
  expect(b.posted.at(-1)).toEqual({ kind: 'condition', name: 'token', on: false, figure: 0 });
  expect(b.notices.at(-1)).toBe('there is a bearer token again');
});

test('F18 a token that was given and that nobody can renew alarms too', async () => {
  const b = bed({ canRenew: false });
  await b.passes(51 * MINUTE);
  expect(b.renewals()).toBe(0);
  expect(b.notices).toEqual([expect.stringContaining('KAIROS_TOKEN')]);
});

test('F18 a short-lived token is renewed at half its life, without an alarm', async () => {
  const b = bed({ lifeMs: 20_000 });
  await b.passes(5 * MINUTE);
  expect(b.renewals()).toBeGreaterThan(25);
  expect(b.notices).toEqual([]);
});

test('nothing is left running', () => {
  const b = bed();
  b.stop();
  expect(b.timers.pending).toBe(0);
});
