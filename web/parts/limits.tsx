import type { LimitView } from '#server/page/view.ts';
import type { Told } from '../live/model.ts';
import { fixed } from '../words/numbers.ts';
import { Nothing, Section } from './section.tsx';

/** Above this share a limit is nearly used up. */
const NEARLY = 0.8;
const REACHED = 0.9999;

/** What counts towards each limit; those that nothing counts towards stand aside. */
export function Limits({ told }: { readonly told: Told }) {
  const { limits } = told.state;
  const unused = limits.filter(({ used }) => used === 0);
  return (
    <Section id="limits" title="Limits">
      {limits.length === 0 ? (
        <Nothing>Each limit of risk.* that is on stands here with what counts towards it.</Nothing>
      ) : (
        <Gauges limits={limits.filter(({ used }) => used !== 0)} />
      )}
      {unused.length > 0 && (
        <details>
          <summary>{unused.length} limits that nothing counts towards now</summary>
          <Gauges limits={unused} />
        </details>
      )}
    </Section>
  );
}

const Gauges = ({ limits }: { readonly limits: readonly LimitView[] }) => (
  <ul class="gauges">
    {limits.map((limit) => (
      <Gauge key={`${limit.name} ${limit.scope} ${limit.unit}`} limit={limit} />
    ))}
  </ul>
);

/** Amounts have cents, and what is counted has none. */
const placesOf = (unit: string): number => (unit === '%' || /^[a-z0-9]{2,5}$/i.test(unit) ? 2 : 0);

function Gauge({ limit: { name, scope, used, limit, unit, share } }: { readonly limit: LimitView }) {
  const places = placesOf(unit);
  const words = `${fixed(used, places)} of ${fixed(limit, places)} ${unit}`;
  const label = scope === 'all' ? name : `${name}, ${scope}`;
  return (
    <li>
      <span class="name">
        {name} {scope !== 'all' && <small>{scope}</small>}
      </span>
      <span class="used">{words}</span>
      <meter min={0} max={1} low={NEARLY} high={REACHED} optimum={0} value={Math.min(1, share)} aria-label={label} aria-valuetext={words} />
    </li>
  );
}
