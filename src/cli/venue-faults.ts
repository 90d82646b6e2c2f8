import { KairosError } from '#domain/errors.ts';
import { FAULTS, MIXED_PERCENT, POINTS, readFault, UNMIXED, type VenueFault } from '#venue/faults/catalogue.ts';
import { printJson, printLine, printTable } from './output.ts';

/** Reads the values of `--faults`, each a name or several with commas. Throws USAGE for one that is none. */
export function faultsIn(given: readonly string[]): readonly VenueFault[] {
  return given.flatMap((names) => names.split(',')).map(faultIn);
}

function faultIn(text: string): VenueFault {
  const read = readFault(text);
  if (typeof read !== 'string') return read;
  throw new KairosError('USAGE', `--faults: must ${read} (\`kairos venue --faults help\` says what each does)`);
}

/** Prints what the venue can be made to do. */
export function listFaults(asJson: boolean): void {
  const rows = Object.entries(FAULTS).map(([name, { point, percent, numbers, does }]) => ({
    name,
    percent,
    of: POINTS[point],
    does,
    numbers,
  }));
  if (asJson) return printJson(rows);
  printTable(
    ['name', 'strikes', 'what it strikes is', 'docs/faults.md'],
    rows.map(({ name, percent, of, does, numbers }) => [name, `${percent}% of ${of}`, does, numbers]),
  );
  printLine(`\nall: each of them but ${UNMIXED.join(', ')}, ${MIXED_PERCENT}% as often. NAME=50% sets a share.`);
}
