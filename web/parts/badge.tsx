import type { StateTone } from '#domain/state-tone.ts';

/** A state in one word; its colour only repeats what the word says. */
export const Badge = ({ tone, children }: { readonly tone: StateTone; readonly children: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
