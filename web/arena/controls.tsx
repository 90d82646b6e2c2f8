import { type FilmPlayer, type FilmView, SPEEDS } from './player.ts';
import { clockText } from './scenes.ts';

/** The clock, the buttons, and the timeline with its faults. */
export function Controls({ player, shown }: { readonly player: FilmPlayer; readonly shown: FilmView }) {
  const { film, now, isPlaying, speed } = shown;
  const isLast = !film.strikes.some(({ t }) => t > now + 1_500);
  return (
    <header class="controls">
      <div class="name">
        <h1>{film.title}</h1>
        <p>Kairos arena{film.isLive ? ', as it happens' : ''}</p>
      </div>
      <p class="clock">
        <span class="unseen">Time of the history: </span>
        {clockText(now)}
        <small> of {clockText(film.lengthMs)}</small>
      </p>
      <div class="buttons">
        <button type="button" class="main" onClick={() => player.play(!isPlaying)}>
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <button type="button" onClick={() => player.step()}>
          Step
        </button>
        <button type="button" disabled={isLast} onClick={() => player.nextFault()}>
          Next fault
        </button>
        <fieldset class="speeds">
          <legend class="unseen">Speed</legend>
          {SPEEDS.map((one) => (
            <label key={one} class={one === speed ? 'on' : ''}>
              <input type="radio" name="speed" checked={one === speed} onChange={() => player.speedUp(one)} />
              {one}×
            </label>
          ))}
        </fieldset>
      </div>
      <Line player={player} shown={shown} />
    </header>
  );
}

/** The timeline: planned faults as bands, faults that struck as marks, and a slider over both. */
function Line({ player, shown: { film, now } }: { readonly player: FilmPlayer; readonly shown: FilmView }) {
  const share = (t: number): number => (100 * t) / film.lengthMs;
  return (
    <div class="line">
      <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
        {film.faults.map(({ fault, from, to }) => (
          <rect key={`${fault} ${from}`} class="band" x={share(from)} width={Math.max(0.15, share(to) - share(from))} y="0" height="10" />
        ))}
        {film.strikes.map(({ t, fault }) => (
          <rect key={`${fault} ${t}`} class="mark" x={share(t)} width="0.15" y="0" height="10" />
        ))}
        <rect class="made" x="0" width={share(now)} y="8" height="2" />
      </svg>
      <input
        type="range"
        aria-label="Moment of the history"
        aria-valuetext={clockText(now)}
        min="0"
        max={film.lengthMs}
        step="100"
        value={now}
        onInput={({ currentTarget }) => {
          player.play(false);
          player.seek(Number(currentTarget.value));
        }}
      />
    </div>
  );
}
