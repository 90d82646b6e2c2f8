import type { BacktestView } from '#server/page/view.ts';
import { stopBacktest } from '../acts/backtest.ts';
import { model } from '../live/model.ts';
import { useStore } from '../live/store.ts';
import { fixed } from '../words/numbers.ts';
import { lastedText } from '../words/times.ts';
import { ActButton } from './act-button.tsx';
import { Badge } from './badge.tsx';

const TONES = { playing: 'even', done: 'good', failed: 'bad', stopped: 'warn' } as const;

/** The backtest or sweep that was started last: how far it is, or what came of it. `of`: only where it is of that strategy. */
export function Backtest({ of }: { readonly of?: string }) {
  const backtest = useStore(model.told)?.state.backtest ?? null;
  if (backtest === null || (of !== undefined && backtest.strategy !== of)) return null;
  const { kind, strategy, state, says, report } = backtest;
  return (
    <div class="backtest">
      <p role="status">
        <Badge tone={TONES[state]}>{state.toUpperCase()}</Badge> {kind} of <b>{strategy}</b>
        {says !== '' && `: ${says}`}
      </p>
      {state === 'playing' && <Playing backtest={backtest} />}
      {report !== null && (
        <a class="act" href={`/api/reports/${encodeURIComponent(report)}`} target="_blank" rel="noopener">
          Open the report
        </a>
      )}
    </div>
  );
}

function Playing({ backtest }: { readonly backtest: BacktestView }) {
  const { kind, strategy, share, trials, leftMs } = backtest;
  return (
    <>
      <progress aria-label={`${kind} of ${strategy}`} value={share} />
      <small>
        {fixed(share * 100, 0)} %{trials !== null && ` of ${fixed(trials, 0)} trials`}
        {leftMs !== null && `, ${lastedText(leftMs)} left`}
      </small>
      <ActButton asked={() => stopBacktest(backtest)} label="Stop…" name={`Stop the ${kind} of ${strategy}`} />
    </>
  );
}
