import { useEffect, useState } from 'preact/hooks';
import { shareText, typeset } from '#domain/money-text.ts';
import type { SearchData } from '#report/page/page-data.ts';
import { fixed, money } from '../words/numbers.ts';
import { apart } from './axis.ts';
import { Drawing } from './drawing.tsx';
import {
  type ColourRange,
  colourRange,
  depthOf,
  fieldsOf,
  type HeatAxis,
  type HeatCell,
  type HeatChoice,
  PALEST,
  sideOf,
} from './fields.ts';

const LEFT_PX = 64;
const DIGIT_PX = 6.6;

/** Trials by two of their parameters; which, and what of them, is chosen above. */
export function HeatMap({ search }: { readonly search: SearchData }) {
  const { parameters, figures } = search;
  const [choice, choose] = useState<HeatChoice>({ x: 0, y: parameters.length > 1 ? 1 : -1, figure: 0, by: 'median' });
  const names = parameters.map((name, n) => [n, name] as const);
  const places = (key: 'x' | 'y' | 'figure') => (value: string) => choose({ ...choice, [key]: Number(value) });
  return (
    <>
      <div class="tools">
        <Select label="across" options={names} value={choice.x} onChoose={places('x')} />
        {parameters.length > 1 && <Select label="up" options={names} value={choice.y} onChoose={places('y')} />}
        <Select
          label="figure"
          options={figures.map(({ name }, n) => [n, name] as const)}
          value={choice.figure}
          onChoose={places('figure')}
        />
        {parameters.length > 2 && (
          <Select
            label="of several trials"
            options={[
              ['median', 'their median'],
              ['best', 'the best'],
            ]}
            value={choice.by}
            onChoose={(by) => choose({ ...choice, by: by === 'best' ? 'best' : 'median' })}
          />
        )}
      </div>
      <Fields search={search} choice={choice} />
    </>
  );
}

function Select({
  label,
  options,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly (readonly [value: number | string, text: string])[];
  readonly value: number | string;
  readonly onChoose: (value: string) => void;
}) {
  return (
    <label>
      {label}{' '}
      <select value={String(value)} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={String(one)} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Fields({ search, choice }: { readonly search: SearchData; readonly choice: HeatChoice }) {
  const [said, say] = useState('');
  const [opened, open] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => open(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const sides = [sideOf(search, choice.x), sideOf(search, choice.y)] as const;
  const [across, up] = sides;
  const fields = fieldsOf(search, choice, sides);
  const range = colourRange(fields);
  const field = fields.find((one) => keyOf(one) === opened);
  const { name = '', isShare = false, currency = null } = search.figures[choice.figure] ?? {};
  const [nameX = '', nameY = ''] = [search.parameters[choice.x], search.parameters[choice.y]];
  const isRow = choice.y < 0;
  const left = isRow ? 12 : LEFT_PX;
  const tall = Math.max(24, Math.min(44, 420 / up.count));
  const height = Math.round(up.count * tall + 28);
  const scale = isShare ? 100 : 1;
  const most = Math.max(...fields.map(({ value }) => Math.abs(value ?? 0))) * scale;
  const short = (value: number): string => `${fixed(value * scale, placesOf(most))}${isShare ? ' %' : ''}`;
  const wordsOf = (field: HeatCell): string => {
    const words = (value: number): string => figureText(value, { isShare, currency });
    const { x, y, value, values, trials } = field;
    const tried = trials.length;
    const many = values.length > 1 ? `, ${words(Math.min(...values))} to ${words(Math.max(...values))}` : '';
    const came = value === null ? 'no trial is ranked' : `${name} ${words(value)}`;
    return `${nameX} ${across.textOf(x)}${isRow ? '' : `, ${nameY} ${up.textOf(y)}`}: ${came} (${tried} ${tried === 1 ? 'trial' : 'trials'}${many})`;
  };
  return (
    <>
      <Drawing height={height} role="group" label={`${name} by ${nameX}${isRow ? '' : ` and ${nameY}`}`}>
        {(width) => {
          const wide = (width - left - 6) / across.count;
          return (
            <>
              {fields.map((field) => {
                const [x, y] = [left + field.x * wide, 6 + (up.count - 1 - field.y) * tall];
                const text = field.value === null ? '-' : short(field.value);
                return (
                  <a
                    key={keyOf(field)}
                    href={keyOf(field)}
                    tabIndex={field === (fields.find((one) => keyOf(one) === opened) ?? fields[0]) ? 0 : -1}
                    aria-current={keyOf(field) === opened}
                    onPointerEnter={() => say(wordsOf(field))}
                    onFocus={() => say(wordsOf(field))}
                    onKeyDown={(event) => pressed(event, field)}
                  >
                    <title>{wordsOf(field)}</title>
                    <rect
                      class={`field ${field.value === null ? 'none' : field.value < 0 ? 'lost' : 'won'}`}
                      x={x + 1}
                      y={y + 1}
                      width={Math.max(1, wide - 2)}
                      height={tall - 2}
                      style={{ '--share': `${depthOf(field, range)}%` }}
                    />
                    {wide > text.length * DIGIT_PX + 4 && (
                      <text class="in-field" x={x + wide / 2} y={y + tall / 2 + 4} text-anchor="middle">
                        {text}
                      </text>
                    )}
                    {field.isFirst && <rect class="first-field" x={x + 2} y={y + 2} width={Math.max(1, wide - 4)} height={tall - 4} />}
                  </a>
                );
              })}
              {!isRow && <Rows up={up} tall={tall} />}
              <Columns across={across} left={left} wide={wide} y={height - 6} />
            </>
          );
        }}
      </Drawing>
      <p class="legend-values">
        <span>
          across {nameX}
          {isRow ? '' : `, up ${nameY}`}
        </span>
        {range !== null && <Scale range={range} short={short} />}
        {fields.some(({ value }) => value === null) && <span>- no trial of it is ranked</span>}
      </p>
      <p class="readout" aria-live="polite">
        {said === '' ? 'A click on a field lists its trials.' : said}
      </p>
      {field !== undefined && <Trials search={search} field={field} by={choice.figure} />}
    </>
  );
}

/** A field in the address of the page. */
const keyOf = ({ x, y }: Pick<HeatCell, 'x' | 'y'>): string => `#field-${x}-${y}`;

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Arrows go to the next field. */
function pressed(event: KeyboardEvent, { x, y }: HeatCell): void {
  if (!(event.currentTarget instanceof SVGElement)) return;
  const step = STEPS[event.key];
  if (step) {
    const next = event.currentTarget.ownerSVGElement?.querySelector(`[href="${keyOf({ x: x + step[0], y: y + step[1] })}"]`);
    if (next instanceof SVGElement) next.focus();
    event.preventDefault();
  }
}

/** The colours from the lowest figure to the highest, with zero where it lies between them. */
function Scale({ range: { lowest, palest, highest }, short }: { readonly range: ColourRange; readonly short: (value: number) => string }) {
  const tint = (ink: 'down' | 'first', depth: number): string => `color-mix(in srgb, var(--${ink}) ${depth}%, var(--card))`;
  const at = (value: number): string => tint(value < 0 ? 'down' : 'first', depthOf({ value }, { lowest, palest, highest }));
  const isAcross = lowest < 0 && highest > 0;
  const zero = `${highest > lowest ? (-lowest / (highest - lowest)) * 100 : 0}%`;
  const middle = isAcross ? `${tint('down', PALEST)} ${zero}, ${tint('first', PALEST)} ${zero}, ` : '';
  return (
    <span class="scale">
      {short(lowest)}
      <i style={{ background: `linear-gradient(to right, ${at(lowest)}, ${middle}${at(highest)})` }}>
        {isAcross && (
          <span class="zero-mark" style={{ left: zero }}>
            0
          </span>
        )}
      </i>
      {short(highest)}
    </span>
  );
}

const MAX_TRIALS = 20;

/** What the trials of a field came to, the best first. */
function Trials({
  search: { parameters, figures, points, first },
  field,
  by,
}: {
  readonly search: SearchData;
  readonly field: HeatCell;
  readonly by: number;
}) {
  const rank = (n: number): number => points[n]?.figures[by] ?? Number.NEGATIVE_INFINITY;
  const trials = field.trials.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_TRIALS);
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {[...parameters, ...figures.map(({ name }) => name)].map((title) => (
              <th key={title} scope="col" class="n">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {trials.map((n) => (
            <tr key={n} class={n === first ? 'chosen-row' : undefined}>
              {points[n]?.values.map((value, place) => (
                <td key={parameters[place]} class="n">
                  {typeset(String(value))}
                </td>
              ))}
              {figures.map((figure, place) => (
                <td key={figure.name} class={`n ${(points[n]?.figures[place] ?? 0) < 0 ? 'down' : ''}`}>
                  {figureText(points[n]?.figures[place], figure)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {field.trials.length > MAX_TRIALS && <p class="readout">and {field.trials.length - MAX_TRIALS} behind them</p>}
    </div>
  );
}

const MAX_SIGNS = 9;

const Rows = ({ up, tall }: { readonly up: HeatAxis; readonly tall: number }) => (
  <>
    {Array.from({ length: up.count }, (_, n) => (
      <text key={up.textOf(n)} x={LEFT_PX - 6} y={6 + (up.count - 1 - n) * tall + tall / 2 + 4} text-anchor="end">
        {up.textOf(n).slice(0, MAX_SIGNS)}
      </text>
    ))}
  </>
);

function Columns({
  across,
  left,
  wide,
  y,
}: {
  readonly across: HeatAxis;
  readonly left: number;
  readonly wide: number;
  readonly y: number;
}) {
  const places = [...Array(across.count).keys()];
  const longest = Math.max(0, ...places.map((n) => across.textOf(n).length));
  return (
    <>
      {apart(places, (n) => left + (n + 0.5) * wide, longest * DIGIT_PX + 8).map((n) => (
        <text key={n} x={left + (n + 0.5) * wide} y={y} text-anchor="middle">
          {across.textOf(n)}
        </text>
      ))}
    </>
  );
}

/** A figure of trials: a share, money, or a ratio, which has no currency. */
function figureText(
  value: number | null | undefined,
  { isShare, currency }: Pick<SearchData['figures'][number], 'isShare' | 'currency'>,
): string {
  if (value === null || value === undefined) return '-';
  return isShare ? shareText(value) : currency === null ? fixed(value, RATIO_PLACES) : money(value, currency);
}

const RATIO_PLACES = 4;

/** Decimal places of all fields alike: three digits of the largest. */
const placesOf = (most: number): number => (most === 0 ? 0 : Math.max(0, Math.min(4, 2 - Math.floor(Math.log10(most)))));
