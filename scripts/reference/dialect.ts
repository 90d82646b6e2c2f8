import { allReadings, DIALECT, type NamedReading } from '#adapters/service/dialect/dialect.ts';
import { type Page, page } from './page.ts';

const INTRO = `What the specification leaves open, each place with the ways in which a service may read it. The first reading of each place is that of the paper venue.
Kairos trades with a reading as it comes, but where it says *with* these settings, which it names when it needs them. *May stop* marks those of which
nothing on the wire tells the truth: Kairos may stop trading, and says what it met.`;

/** What a service may do, by place. */
export function dialectPage(): Page {
  const readings = allReadings();
  const sections = Object.entries(DIALECT).map(([name, { spec, open }]) => {
    const lines = readings
      .filter(({ point }) => point === name)
      .map((reading) => `- \`${reading.name}\`: ${reading.does}${meeting(reading)}`);
    return `## ${name}\n\nSpecification ${spec}: ${open}.\n\n${lines.join('\n')}`;
  });
  return page('dialect', 'Dialects', [INTRO, ...sections].join('\n\n'));
}

function meeting({ client, set }: NamedReading): string {
  if (client === 'set') {
    const settings = Object.entries(set).map(([key, value]) => `\`${key}: ${value}\``);
    return `; *with* ${settings.join(', ')}`;
  }
  return client === 'trades' ? '' : '; *may stop*';
}
