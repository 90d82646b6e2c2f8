import { render } from 'preact';
import { model } from './live/model.ts';
import { takeFromAddress } from './live/session.ts';
import { Stream } from './live/stream.ts';
import { startTheme } from './live/theme.ts';
import { Page } from './page.tsx';
import { ReplayPlayer } from './replay/player.ts';
import { Replay } from './replay/replay.tsx';

const place = document.getElementById('page');
if (place) {
  takeFromAddress();
  startTheme();
  place.replaceChildren();
  const run = new URLSearchParams(location.search).get('replay');
  if (run === null) {
    render(<Page />, place);
    new Stream(model).join();
  } else {
    const player = new ReplayPlayer(run);
    // A replay has no live connection, so data is loaded at once.
    model.link.set({ kind: 'live' });
    render(<Replay player={player} />, place);
    void player.begin();
  }
}
