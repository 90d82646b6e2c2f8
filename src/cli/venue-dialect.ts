import { allReadings, dialectOf, readDialect } from '#adapters/service/dialect/dialect.ts';
import { KairosError } from '#domain/errors.ts';
import { printJson, printLine, printTable } from './output.ts';

/** Reads the values of `--dialect`, each a name or several with commas. Throws USAGE for one that is none. */
export function dialectIn(given: readonly string[]): readonly string[] {
  const names = readDialect(given.flatMap((text) => text.split(',')));
  const read = typeof names === 'string' ? names : dialectOf(names);
  if (typeof names !== 'string' && typeof read !== 'string') return names;
  throw new KairosError('USAGE', `--dialect: must ${String(read)} (\`kairos venue --dialect help\` says what each does)`);
}

/** Prints in which ways the venue can read what the specification leaves open. */
export function listDialect(asJson: boolean): void {
  const readings = allReadings();
  if (asJson)
    return printJson(readings.map(({ name, point, spec, does, client, set, own }) => ({ name, point, spec, does, client, set, own })));
  printTable(
    ['name', 'specification', 'the service', 'kairos'],
    readings.map(({ name, spec, does, client, set, own }) => [
      own ? `${name} *` : name,
      spec,
      does,
      client === 'set' ? `trades with ${Object.keys(set).join(', ')}` : client === 'trades' ? 'trades' : 'may stand still',
    ]),
  );
  printLine("\n* the paper venue's own. seed:N draws one to six of the others. docs/reference/dialect.md says more.");
}
