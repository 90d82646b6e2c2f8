import type { OpenQuoteSocket } from '#adapters/service-client/quotes/quote-socket.ts';
import type { Timers } from '#ports/timers.ts';

/** A connection that the service closes so soon after another opened was closed because of it, where that happens time and again. */
const SOON_MS = 1500;
const WITHIN_MS = 60_000;
const TIMES = 4;

/** What a person does about a service that closes a connection when another one opens. */
export const ONE_CONNECTION =
  'the quotes feed closes a connection each time another opens: if the service allows one connection a user, set lanes.max: 1 and lanes.reserve: 0; if the user is in use elsewhere, stop it there';

/** Opens connections as `open` does, and tells once when the service seems to allow one alone. */
export function watchedForOne(open: OpenQuoteSocket, timers: Pick<Timers, 'monotonicMs'>, tell: () => void): OpenQuoteSocket {
  const openings: { readonly owner: object; readonly at: number }[] = [];
  let closings: number[] = [];
  let told = false;
  return (url, events) => {
    const owner = {};
    return open(url, {
      ...events,
      opened() {
        openings.push({ owner, at: timers.monotonicMs() });
        if (openings.length > TIMES) openings.shift();
        events.opened();
      },
      text: (frame) => events.text(frame),
      alive: () => events.alive(),
      ended(why, violation) {
        const now = timers.monotonicMs();
        const mine = openings.findLastIndex((one) => one.owner === owner);
        const other = openings.some((one, index) => index > mine && one.owner !== owner && now - one.at <= SOON_MS);
        if (other && mine >= 0 && why.startsWith('closed with')) {
          closings = [...closings.filter((at) => now - at <= WITHIN_MS), now];
          if (closings.length >= TIMES && !told) {
            told = true;
            tell();
          }
        }
        events.ended(why, violation);
      },
    });
  };
}
