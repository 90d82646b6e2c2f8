import { type ErrorCode, invariant, KairosError } from '#domain/errors.ts';
import { oneLine } from '#domain/one-line.ts';
import { shown } from '#domain/settings/shown.ts';

/** One thing that is wrong with a configuration: a whole line, `kairos.yaml:14: strategies[0].amount.base: must be ...`. */
export interface Fault {
  readonly code: ErrorCode;
  readonly line: string;
}

/** Collects faults in the order in which they are found. */
export class FaultList {
  private readonly list: Fault[] = [];

  add(line: string, code: ErrorCode = 'CONFIG_INVALID'): void {
    this.list.push({ code, line: oneLine(line) });
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  get all(): readonly Fault[] {
    return this.list;
  }
}

/** The error of several faults: the first of them, and the command that shows the rest. */
export function faultsError(faults: readonly Fault[]): KairosError {
  const [first, ...rest] = faults;
  invariant(first, 'an error needs a fault');
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more: run \`kairos config check\`)`;
  return new KairosError(first.code, `${first.line}${more}`);
}

/** A place inside the settings in the form `strategies[0].amount.base`. */
export function keyText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = /^[\w{}-]+$/.test(part) ? part : shown(part);
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
