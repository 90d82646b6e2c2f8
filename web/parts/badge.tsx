export type Tone = 'good' | 'warn' | 'bad' | 'even';

/** A state in one word; its colour only repeats what the word says. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
