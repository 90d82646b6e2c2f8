import type { Rooms } from '#lab/arena/film/recorder.ts';
import type { RoomLine, Tone } from '#lab/arena/server/film.ts';
import type { Venue } from '#paper-venue/venue.ts';
import type { BotJudge } from './bot-judge.ts';

const line = (label: string, value: string, tone: Tone = 'plain'): RoomLine => ({ label, value, tone });

/** The rooms of a trial; of the bot only what the service sees. */
export function trialRooms(venue: Venue, judge: BotJudge, opening: Readonly<Record<string, string>>): Rooms {
  const executions = venue.executions();
  const last = executions.at(-1);
  const { live } = judge.feed;
  const held = [...new Set(executions.map(({ product }) => product))].map((product) => {
    const size = executions
      .filter((one) => one.product === product)
      .reduce((sum, one) => sum + (one.side === 'buy' ? 1 : -1) * Number(one.size), 0);
    return line(product, Number(size.toFixed(8)).toString());
  });
  const changed = Object.entries(venue.balances(USER))
    .map(([currency, amount]) => [currency, Number(amount) - Number(opening[currency] ?? 0)] as const)
    .filter(([, by]) => by !== 0);
  return {
    service: [
      line('executed', `${executions.length} orders`),
      ...(last ? [line('last', `${last.side} ${last.size} ${last.product} at ${last.price}`)] : []),
      ...changed.map(([currency, by]) => line(currency, `${by > 0 ? '+' : ''}${Number(by.toFixed(6))} since the start`)),
    ],
    network: [
      line('quotes', `${judge.feed.quotes} sent`),
      line('connections', `${venue.counts().connections}`),
      ...(live.length === 0 ? [line('feed', 'no subscription', 'bad')] : []),
      ...live.slice(0, 6).map(({ number, words, isAcked }) => line(`feed ${number}`, words, isAcked ? 'good' : 'warn')),
    ],
    daemon: [line('orders', `${judge.tallies.orders} sent`), ...held],
    disk: judge.books ? [line('books', judge.books.text, judge.books.isRight ? 'good' : 'bad')] : [line('books', 'it has reported none')],
  };
}

/** The user that a bot on trial trades for. */
export const USER = '1205';
