import type { InboxEvent } from '#domain/event.ts';
import type { Millis } from '#domain/names.ts';

/** The events of a kind. */
export type EventOf<Kind extends InboxEvent['kind']> = Extract<InboxEvent, { kind: Kind }>;

/** What is done with each kind of event: the compiler names a kind that is missing. `at` is engine time. */
export type EventHandlers = { readonly [Kind in InboxEvent['kind']]: (event: EventOf<Kind>, at: Millis) => void };

/** Gives an event to the handler of its kind. */
export function handleWith<Kind extends InboxEvent['kind']>(handlers: EventHandlers, event: EventOf<Kind>, at: Millis): void {
  const handle: (event: EventOf<Kind>, at: Millis) => void = handlers[event.kind];
  handle(event, at);
}
