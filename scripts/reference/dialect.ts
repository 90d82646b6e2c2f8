import { allReadings, DIALECT, type NamedReading } from '#adapters/service/dialect/dialect.ts';
import { type Page, page, table } from './page.ts';

const INTRO = `What the specification leaves open, each place with the ways in which a service may read it. The first reading of each place is that of the paper venue.
The last column says how Kairos meets it: *trades* as it comes; *trades with* these settings, which it
names when it needs them; *may stop trading*, since nothing on the wire tells the truth, and says what it met.`;

/** What a service may do, by place. */
export function dialectPage(): Page {
  const readings = allReadings();
  const sections = Object.entries(DIALECT).map(([name, { spec, open }]) => {
    const rows = readings.filter(({ point }) => point === name).map((reading) => [`\`${reading.name}\``, reading.does, meeting(reading)]);
    return `## ${name}\n\nSpecification ${spec}: ${open}.\n\n${table([['name', 'the service', 'Kairos'], ...rows])}`;
  });
  return page('dialect', 'Dialects', [INTRO, ...sections].join('\n\n'));
}

function meeting({ client, set }: NamedReading): string {
  if (client === 'set') {
    const settings = Object.entries(set).map(([key, value]) => `\`${key}: ${value}\``);
    return `trades with ${settings.join(', ')}`;
  }
  return client === 'trades' ? 'trades' : 'may stop trading';
}
