import { allReadings, DIALECT, type NamedReading } from '#adapters/service-client/dialect/dialect.ts';
import { type Page, page } from './page.ts';

const INTRO = `What the specification leaves open, by its sections, each place with the ways in which a service may read it. The paper venue's own reading comes first.
Kairos trades with a reading as it comes, but where it says *with* these settings, which it names when it needs them. A star: nothing on the wire tells the truth, so
Kairos may stop trading, and says what it met.`;

/** What a service may do, by place. */
export function dialectPage(): Page {
  const readings = allReadings();
  const sections = Object.entries(DIALECT).map(([name, { spec, open }]) => {
    const lines = readings
      .filter(({ point }) => point === name)
      .map((reading) => `- \`${reading.name}\`${reading.client === 'stands' ? ' *' : ''}: ${reading.does}${meeting(reading)}`);
    return `## ${name}\n\n${spec}: ${open}.\n\n${lines.join('\n')}`;
  });
  return page('dialect', 'Dialects', [INTRO, ...sections].join('\n\n'));
}

function meeting({ client, set }: NamedReading): string {
  if (client !== 'set') return '';
  return `; *with* ${Object.entries(set)
    .map(([key, value]) => `\`${key}: ${value}\``)
    .join(', ')}`;
}
