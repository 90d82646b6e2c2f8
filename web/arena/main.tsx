import { render } from 'preact';
import type { Film } from '#lab/arena/server/film.ts';
import { Page } from './page.tsx';
import { FilmPlayer } from './player.ts';

const place = document.getElementById('page');
if (place) void begin(place);

/** Loads the history and plays it from its start; follows one that is still being recorded. */
async function begin(at: HTMLElement): Promise<void> {
  const film = (await (await fetch('/api/film')).json()) as Film;
  const player = new FilmPlayer(film);
  at.replaceChildren();
  document.title = `${film.title} in the Kairos arena`;
  render(<Page player={player} />, at);
  player.begin();
}
