import type { InboxEvent } from '#domain/event.ts';
import type { Millis } from '#domain/names.ts';

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
