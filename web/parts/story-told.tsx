import type { ComponentChildren } from 'preact';
import { durationText } from '#domain/duration-text.ts';
import type { OrderStoryView, TradeView } from '#server/page/history-view.ts';
import { showStory } from '../live/order-shown.ts';
import { fillText } from '../words/decision-text.ts';
import { said } from '../words/said.ts';
import { clockText } from '../words/times.ts';
import { Amount } from './amount.tsx';
import { MinutesAround } from './minutes-around.tsx';
import { Moment } from './moment.tsx';

/** What an order made, the minutes around it, its decision, the service's answer, what came after, and its checks. */
export function StoryTold({ story }: { readonly story: OrderStoryView }) {
  const { at, fill, state, lines, trips } = story;
  const atMs = Date.parse(at);
  const checks = lines.filter(({ about }) => about === CHECKS);
  const passed = checks.filter(({ text }) => text.startsWith(PASSED));
  const texts = lines.filter(({ about }) => about === TEXT);
  return (
    <>
      <p class="outcome">
        {trips.length > 0 && <Made trips={trips} />}
        {fill === null ? state?.replaceAll('_', ' ') : fillText(fill)}
        <small>
          <Moment at={at} />
        </small>
      </p>
      <MinutesAround story={story} />
      <dl class="story">
        {trips.map(
          (trip) =>
            trip.exitOrder === story.order && <Leg key={`${trip.entryOrder} ${trip.size}`} trip={trip} of={story.order} nowMs={atMs} />,
        )}
        {joined(lines.filter(({ about }) => about !== CHECKS && about !== TEXT && (about !== 'approved' || fill === null))).map(
          ({ about, text }) => (
            <Line key={`${about} ${text}`} about={about}>
              {said(text, atMs)}
            </Line>
          ),
        )}
        {trips.map(
          (trip) =>
            trip.entryOrder === story.order && <Leg key={`${trip.exitOrder} ${trip.size}`} trip={trip} of={story.order} nowMs={atMs} />,
        )}
        {trips.length > 0 && (
          <Line about="random entry">
            <Chance trips={trips} />
          </Line>
        )}
      </dl>
      {checks.length > 0 && (
        <details open={passed.length < checks.length}>
          <summary>
            {passed.length} of {checks.length} checks passed
          </summary>
          <ul>
            {checks.map(({ text }) => (
              <li key={text} class={text.startsWith(PASSED) ? undefined : 'failed'}>
                {said(text.startsWith(PASSED) ? text.slice(PASSED.length) : text, atMs)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {texts.length > 0 && (
        <details>
          <summary>The service's text</summary>
          <p>{texts.map(({ text }) => text).join('\n')}</p>
        </details>
      )}
    </>
  );
}

/** Subjects of lines that are folded, and how a passed check begins. */
const CHECKS = 'checks';
const TEXT = 'its text';
const PASSED = 'passed: ';

const Line = ({ about, children }: { readonly about: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{about}</dt>
    <dd>{children}</dd>
  </div>
);

/** A line without a subject belongs to the one before. */
function joined(lines: OrderStoryView['lines']): OrderStoryView['lines'] {
  const all: OrderStoryView['lines'][number][] = [];
  for (const line of lines) {
    const last = line.about === '' ? all.pop() : undefined;
    all.push(last ? { ...last, text: `${last.text}; ${line.text}` } : line);
  }
  return all;
}

const sumOf = (trips: readonly TradeView[], of: (trip: TradeView) => number): number => trips.reduce((sum, trip) => sum + of(trip), 0);

/** What the round trips of an order made. */
function Made({ trips }: { readonly trips: readonly TradeView[] }) {
  const profit = sumOf(trips, (trip) => trip.profit);
  return (
    <b class="made">
      made <Amount value={profit} currency={trips[0]?.currency ?? ''} />
    </b>
  );
}

/** The other order of a round trip, how long it was held, and what it made. */
function Leg({ trip, of, nowMs }: { readonly trip: TradeView; readonly of: string; readonly nowMs: number }) {
  const isExit = trip.exitOrder === of;
  const [what, other, when] = isExit ? ['opened', trip.entryOrder, trip.openedAt] : ['closed', trip.exitOrder, trip.closedAt];
  return (
    <Line about={isExit ? 'before' : 'after'}>
      {trip.side} {trip.size} {what} {clockText(new Date(when).toISOString(), nowMs)} by{' '}
      <button type="button" class="link" aria-label={`Story of order ${other}`} onClick={() => showStory(other)}>
        {other}
      </button>
      , held {durationText(trip.heldMs)}: <Amount value={trip.profit} currency={trip.currency} />
      {isExit ? '' : `, ${trip.whyOut}`}
    </Line>
  );
}

/** Both sides over the time of the round trips, after the same fees: what chance alone makes of it. */
function Chance({ trips }: { readonly trips: readonly TradeView[] }) {
  const currency = trips[0]?.currency ?? '';
  const fees = sumOf(trips, (trip) => trip.fees);
  const gross = sumOf(trips, (trip) => (trip.side === 'long' ? 1 : -1) * (trip.profit + trip.fees));
  return (
    <>
      over the same time long <Amount value={gross - fees} currency={currency} />, short{' '}
      <Amount value={-gross - fees} currency={currency} />; by chance <Amount value={-fees} currency={currency} /> on average
    </>
  );
}
