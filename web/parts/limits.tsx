import type { LimitView } from '#server/page/view.ts';
import type { LastState } from '../live/model.ts';
import { limitWords, sinceWords } from '../words/limits.ts';
import { fixed } from '../words/numbers.ts';
import { Nothing } from './section.tsx';

/** Above this share a limit is nearly used up. */
const NEARLY = 0.8;
const REACHED = 0.9999;

/** Number of visible gauges; the others are folded. */
const MAX_SHOWN = 6;

/** The use of each limit, the most used first. */
export function Limits({ told }: { readonly told: LastState }) {
  const limits = [...told.state.limits].sort((a, b) => b.share - a.share);
  const nowMs = Date.parse(told.state.at);
  const near = limits.filter(({ share }) => share >= NEARLY).length;
  const shown = Math.max(MAX_SHOWN, near);
  if (limits.length === 0) return <Nothing>Each limit of risk.* that is on appears here, with its use.</Nothing>;
  return (
    <>
      <Gauges limits={limits.slice(0, shown)} nowMs={nowMs} />
      {limits.length > shown && (
        <details>
          <summary>{limits.length - shown} more limits, less used up than these</summary>
          <Gauges limits={limits.slice(shown)} nowMs={nowMs} />
        </details>
      )}
    </>
  );
}

/** Number of limits that are nearly used up. */
export const nearLimits = ({ state }: LastState): number => state.limits.filter(({ share }) => share >= NEARLY).length;

const Gauges = ({ limits, nowMs }: { readonly limits: readonly LimitView[]; readonly nowMs: number }) => (
  <ul class="gauges">
    {limits.map((limit) => (
      <Gauge key={`${limit.name} ${limit.scope} ${limit.unit}`} limit={limit} nowMs={nowMs} />
    ))}
  </ul>
);

/** Amounts have cents, and what is counted has none. */
const placesOf = (unit: string): number => (unit === '%' || /^[a-z0-9]{2,5}$/i.test(unit) ? 2 : 0);

/** The limit as the settings have it. */
const settingLine = ({ name, limit, forExits, unit }: LimitView): string =>
  /^[a-z0-9]{2,5}$/.test(unit) && unit !== 'orders' ? `${name}: { ${unit}: ${limit} }` : `${name}: ${limit + forExits}`;

function Gauge({ limit: view, nowMs }: { readonly limit: LimitView; readonly nowMs: number }) {
  const { name, scope, used, limit, forExits, unit, share, since } = view;
  const places = placesOf(unit);
  // Exits count as well, and go on where openings may not.
  const words = `${fixed(used, places)} of ${fixed(limit + forExits, places)} ${unit}${forExits > 0 ? `, the last ${forExits} for exits alone` : ''}`;
  const what = since === null ? limitWords(name) : sinceWords(name, since, nowMs);
  const label = scope === 'all' ? what : `${what}, ${scope}`;
  return (
    <li>
      <details>
        <summary title="How to change it">
          <span class="name" title={what}>
            {what}
          </span>
          <b>{scope === 'all' ? '' : scope}</b>
          <span class="used">{words}</span>
        </summary>
        <p>
          To change it, write <code>{settingLine(view)}</code> with your figure into the settings file and start Kairos again.{' '}
          <a href={`/docs?q=${name}`}>What it does</a>
        </p>
      </details>
      <meter min={0} max={1} low={NEARLY} high={REACHED} optimum={0} value={Math.min(1, share)} aria-label={label} aria-valuetext={words} />
    </li>
  );
}
