import { useState } from 'preact/hooks';
import { toneOfState } from '#domain/state-tone.ts';
import { Amount, Amounts } from '../parts/amount.tsx';
import { Badge } from '../parts/badge.tsx';
import { Choice } from '../parts/choice.tsx';
import { Decision } from '../parts/feed.tsx';
import { Nothing, Section } from '../parts/section.tsx';
import { Table } from '../parts/table.tsx';
import { Charts } from './charts.tsx';
import { AT, ROWS } from './examples.ts';

const COLOURS =
  'ground card raised line edge ink muted up down first second third fourth warn warn-ground bad bad-ground good stop paper dry live';

/** All parts of the pages with made-up figures, so that who changes one sees it beside the others. */
export function Gallery() {
  return (
    <main class="gallery">
      <h1>The parts of Kairos's pages</h1>
      <Tokens />
      <Figures />
      <Tables />
      <Section id="charts" title="Charts">
        <Charts />
      </Section>
      <States />
      <Acts />
    </main>
  );
}

const Tokens = () => (
  <Section id="tokens" title="Colours by meaning, and sizes of text">
    <ul class="swatches">
      {COLOURS.split(' ').map((name) => (
        <li key={name}>
          <i style={{ background: `var(--${name})` }} />
          {name}
        </li>
      ))}
    </ul>
    <h2>Heading of a part</h2>
    <h3>Heading within a part</h3>
    <p>
      Text, with a <a href="#tokens">way to a part</a>, <code>risk.maxSpreadPct</code> and a key <kbd>h</kbd>
    </p>
    <p class="note">A note beside figures</p>
    <small>What is small</small>
  </Section>
);

const Figures = () => (
  <Section id="figures" title="Figures and badges">
    <div class="row">
      {(['good', 'even', 'warn', 'bad'] as const).map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
    </div>
    <dl class="facts wide">
      {(
        [
          ['gain', 1234.5],
          ['loss', -0.0213],
          ['nothing', 0],
          ['not known', null],
        ] as const
      ).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Amount value={value} currency="usd" />
          </dd>
        </div>
      ))}
    </dl>
    <ul class="gauges">
      {(
        [
          ['far from its limit', 0.3],
          ['near its limit', 0.85],
          ['used up', 1],
        ] as const
      ).map(([name, share]) => (
        <li key={name}>
          <p>{name}</p>
          <meter min={0} max={1} low={0.8} high={0.9999} optimum={0} value={share} aria-label={name} />
        </li>
      ))}
    </ul>
  </Section>
);

const State = ({ name }: { readonly name: string }) => <Badge tone={toneOfState(name)}>{name}</Badge>;

const COLUMNS = [{ title: 'strategy' }, { title: 'state' }, { title: 'unrealised', isFigure: true }];

const TWO = [
  { profit: -49.23, currency: 'sek' },
  { profit: 0.61, currency: 'usd' },
];

const Tables = () => (
  <Section id="tables" title="Tables and rows">
    <Table
      caption="Strategies"
      columns={COLUMNS}
      rows={[
        { key: 'trend', cells: ['trend', <State key="state" name="RUNNING" />, <Amount key="amount" value={12.3} currency="usd" />] },
        {
          key: 'flip',
          cells: ['flip, with an alarm', <State key="state" name="HALTED" />, <Amount key="amount" value={-4} currency="usd" />],
          alarm: true,
        },
        { key: 'rest', cells: ['rest', <State key="state" name="PAUSED" />, <Amount key="amount" value={null} currency="usd" />] },
        { key: 'two', cells: ['in two currencies', <State key="state" name="RUNNING" />, <Amounts key="amounts" of={TWO} />] },
      ]}
    />
    <ol class="rows" aria-label="Decisions">
      {ROWS.map((row) => (
        <Decision key={row.seq} row={row} times={row.seq} first={row} today={AT} />
      ))}
    </ol>
  </Section>
);

const States = () => (
  <Section id="states" title="Empty, waiting and wrong">
    <Nothing>Each decision appears here as it is journaled, in plain words.</Nothing>
    <p class="waiting" role="status">
      Loading the state of the daemon.
    </p>
    <p class="bad" role="alert">
      The daemon cannot be reached. This page goes on trying.
    </p>
  </Section>
);

function Acts() {
  const [span, setSpan] = useState(5);
  return (
    <Section
      id="acts"
      title="Acts and choices"
      tools={
        <Choice
          legend="span"
          name="span"
          choices={[
            ['5 min', 5],
            ['1 h', 60],
          ]}
          value={span}
          onChoose={setSpan}
        />
      }
    >
      <div class="row">
        <button type="button" class="halt">
          HALT
        </button>
        <button type="button" class="act">
          Pause…
        </button>
        <button type="button" class="plain">
          plain
        </button>
        <button type="button" class="link">
          28399-1
        </button>
      </div>
    </Section>
  );
}
