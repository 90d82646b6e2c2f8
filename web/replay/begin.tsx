import { render } from 'preact';
import { model } from '../live/model.ts';
import { ReplayPlayer } from './player.ts';
import { Replay } from './replay.tsx';

interface ReplayRequest {
  readonly run: string;
  /** The moment to begin at; null: that of the first decision. */
  readonly at: string | null;
  readonly place: HTMLElement;
}

/** Shows a past run in place of the live page, which does not load this. */
export function begin({ run, at, place }: ReplayRequest): void {
  const player = new ReplayPlayer(run);
  // A replay has no live connection, so data is loaded at once.
  model.link.set({ kind: 'live' });
  place.replaceChildren();
  render(<Replay player={player} />, place);
  void player.begin(Date.parse(at ?? ''));
}
