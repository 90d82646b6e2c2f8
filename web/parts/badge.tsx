export type BadgeTone = 'good' | 'warn' | 'bad' | 'even';

/** A state in one word; its colour only repeats what the word says. */
export const Badge = ({ tone, children }: { readonly tone: BadgeTone; readonly children: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
