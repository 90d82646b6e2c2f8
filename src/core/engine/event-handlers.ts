import type { StrategyHost } from '#core/strategy/host.ts';
import { durationText } from '#domain/duration-text.ts';
import { never } from '#domain/errors.ts';
import type { InboxEvent, WarmUpFeed } from '#domain/event.ts';
import type { Millis } from '#domain/names.ts';
import { isoTime } from '#domain/names.ts';
import { type PastSignal, sourceName } from '#domain/outside-signal.ts';
import type { EngineContext } from './engine-context.ts';

/** Every event but quotes, which are nearly all events and go their own way. */
type Handled = Exclude<InboxEvent, { kind: 'quote' }>;
type Kind = Handled['kind'];

/** The events of a kind. */
export type EventOf<One extends Kind> = Extract<Handled, { kind: One }>;

/** What is done with each kind of event: the compiler names a kind that is missing. `at` is engine time. */
export type EventHandlers = { readonly [One in Kind]: (event: EventOf<One>, at: Millis) => void };

/** Gives an event to the handler of its kind. */
export function handleWith<One extends Kind>(handlers: EventHandlers, event: EventOf<One>, at: Millis): void {
  const handle: (event: EventOf<One>, at: Millis) => void = handlers[event.kind];
  handle(event, at);
}

/** Applies what was measured outside: certificates, the token, the clock, and how late this machine is. */
export function takeCondition({ name, on, figure }: EventOf<'condition'>, { state, clockState, escalateHalt }: EngineContext): void {
  switch (name) {
    case 'certificate':
      if (on) state.halt('CERTIFICATE', 'kairos', 'the service could not prove who it is');
      return;
    case 'token': {
      const why = `no valid bearer token for ${durationText(figure)}, so a halt could not pause the service's strategies`;
      // While a halt could not be passed on, no further risk is taken.
      if (on && escalateHalt) state.reduce('TOKEN_GONE', 'kairos', why);
      return;
    }
    case 'clock-step':
    case 'clock':
    case 'lag':
      return clockState.condition(name, on, figure);
    default:
      return never(name);
  }
}

/** A signal from outside: journaled first, so that what is ordered on it is committed with it, then given to the strategies. */
export function takeSignal(past: PastSignal, { log }: EngineContext, host: StrategyHost): void {
  const { id, madeAt, value } = past.signal;
  log.defer(log.make('signal', { source: sourceName(past.source), id, madeAt: madeAt === null ? null : isoTime(madeAt), value }));
  host.deliverSignal(past);
}

/** A gap in the warm-up data from which a person is told, in milliseconds. */
const TOLD_FROM_MS = 10_000;

/** Feeds the signals of strategies with recorded quotes, and journals which quotes of which lanes these were. */
export function feedWarmUp({ ranges, past }: WarmUpFeed, { log, notice }: EngineContext, host: StrategyHost): void {
  host.warm(past);
  for (const { lane, from, to, gapMs, ...rest } of ranges) {
    log.defer(log.make('warmed', { lane, from: isoTime(from), to: isoTime(to), gapMs, ...rest }));
    const gap = gapMs > TOLD_FROM_MS ? `, with a gap of ${durationText(gapMs)}` : '';
    notice(gap === '' ? 'info' : 'warn', `${lane}: signals warm up on ${rest.quotes} recorded quotes up to ${isoTime(to)}${gap}`);
  }
}
