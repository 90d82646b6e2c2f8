import { dialectOf, readDialect } from '#adapters/service-client/dialect/dialect.ts';
import { KairosError } from '#domain/errors.ts';
import { readFault, type VenueFault } from '#paper-venue/faults/catalogue.ts';

/** Reads the values of `--dialect`, each a name or several with commas. Throws USAGE for an unknown name. */
export function dialectIn(given: readonly string[]): readonly string[] {
  const names = readDialect(given.flatMap((text) => text.split(',')));
  const read = typeof names === 'string' ? names : dialectOf(names);
  if (typeof names !== 'string' && typeof read !== 'string') return names;
  throw new KairosError('USAGE', `--dialect: must ${String(read)} (\`kairos venue --dialect help\` says what each does)`);
}

/** Reads the values of `--faults`, each a name or several with commas. Throws USAGE for an unknown name. */
export function faultsIn(given: readonly string[]): readonly VenueFault[] {
  return given.flatMap((names) => names.split(',')).map(faultIn);
}

function faultIn(text: string): VenueFault {
  const read = readFault(text);
  if (typeof read !== 'string') return read;
  throw new KairosError('USAGE', `--faults: must ${read} (\`kairos venue --faults help\` says what each does)`);
}
