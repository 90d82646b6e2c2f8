import type { ReplayMarks, ReplayStep, ReplayView } from '#server/page/replay-view.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { Choice } from '../parts/choice.tsx';
import { Section } from '../parts/section.tsx';
import { describeDecision } from '../words/decision-text.ts';
import { labelOf } from '../words/kinds.ts';
import { momentText } from '../words/times.ts';
import { type ReplayFrame, type ReplayPlayer, SPEEDS } from './player.ts';

const SPEED_CHOICES = SPEEDS.map((speed) => [`${speed}×`, speed] as const);

const JUMPS: readonly { readonly to: ReplayStep; readonly label: string; readonly key: string }[] = [
  { to: 'decision', label: 'decision', key: '' },
  { to: 'order', label: 'order', key: 'o' },
  { to: 'refusal', label: 'refusal', key: 'r' },
  { to: 'alarm', label: 'alarm', key: 'a' },
];

/** The timeline with its slider, and the buttons that move the moment. */
export function Controls({
  player,
  shown,
  view,
}: {
  readonly player: ReplayPlayer;
  readonly shown: ReplayFrame;
  readonly view: ReplayView;
}) {
  const { at, isPlaying, speed, failed } = shown;
  return (
    <Section
      id="replay"
      title={`Run ${view.run}`}
      tools={
        <>
          <button type="button" class="act main play" onClick={() => player.play(!isPlaying)} aria-keyshortcuts="Space">
            {isPlaying ? 'Pause' : 'Play'}
          </button>
          <Choice legend="speed" name="speed" choices={SPEED_CHOICES} value={speed} onChoose={(one) => player.speedUp(one)} />
        </>
      }
    >
      <Line player={player} at={at} view={view} />
      <div class="jumps">
        {JUMPS.map(({ to, label, key }) => (
          <fieldset key={to} class="jump">
            <legend class="unseen">{label}</legend>
            <button type="button" class="plain" aria-label={`Previous ${label}`} onClick={() => player.step(to, true)}>
              ‹
            </button>
            <span title={key === '' ? 'arrow keys left and right' : `keys ${key} and Shift ${key}`}>{label}</span>
            <button type="button" class="plain" aria-label={`Next ${label}`} onClick={() => player.step(to, false)}>
              ›
            </button>
          </fieldset>
        ))}
      </div>
      <p class="now few-lines" role="status">
        {[failed, view.note].filter((text) => text !== '').join(' ') || <Now view={view} />}
      </p>
    </Section>
  );
}

function Now({ view: { row, isFirst, isLast } }: { readonly view: ReplayView }) {
  if (row === null) return <>Before the first decision of this run.</>;
  const place = isFirst ? ', the first' : isLast ? ', the last' : '';
  const whose = row.strategy === null ? '' : `${row.strategy}, `;
  return (
    <>
      <b>
        decision {row.seq}
        {place}
      </b>
      : {whose}
      {labelOf(row)}: {describeDecision(row).says}
    </>
  );
}

/** Orders and alarms of the run on a timeline, and a slider over them. */
function Line({ player, at, view: { run, from, to } }: { readonly player: ReplayPlayer; readonly at: number; readonly view: ReplayView }) {
  const found = useLookedUp<ReplayMarks>(`/api/replay/marks?run=${encodeURIComponent(run)}`);
  const [begin, end] = [Date.parse(from), Math.max(Date.parse(from) + 1, Date.parse(to))];
  const share = (time: number): number => (100 * (time - begin)) / (end - begin);
  const marks = found?.kind === 'done' ? found.body.marks : [];
  return (
    <div class="line-of-time">
      <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
        {marks.map((mark) => (
          <rect
            key={`${mark.kind} ${mark.at}`}
            class={mark.kind}
            x={share(mark.at)}
            width="0.2"
            y={mark.kind === 'alarm' ? 0 : 4}
            height="6"
          />
        ))}
        <rect class="passed" x="0" width={Math.max(0, share(at))} y="9" height="1" />
      </svg>
      <input
        type="range"
        aria-label="Moment of the run"
        aria-valuetext={momentText(new Date(at).toISOString())}
        min={begin}
        max={end}
        step="1000"
        value={at}
        onInput={({ currentTarget }) => {
          player.play(false);
          player.seek(Number(currentTarget.value));
        }}
      />
      <p class="ends">
        <time dateTime={from}>{momentText(from)}</time>
        <span>
          <i class="swatch order" /> orders <i class="swatch alarm-mark" /> alarms
        </span>
        <time dateTime={to}>{momentText(to)}</time>
      </p>
    </div>
  );
}
