import { type ParseArgsOptionDescriptor, type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** An option of a script of the project: what it says, and the name of its value. One whose value is `N` takes a number. */
interface ScriptOption extends ParseArgsOptionDescriptor {
  readonly says: string;
  readonly value?: string;
}

/** A script that `npm run` starts. */
interface Script<Options extends Readonly<Record<string, ScriptOption>>> {
  readonly name: string;
  /** One sentence. */
  readonly does: string;
  readonly options: Options;
}

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ args: string[]; options: Options }>>['values'];

/** Reads the arguments of a script: its values, or the text that stands in their place: the usage that `--help` asks for, or what is wrong. */
export function readScript<const Options extends Readonly<Record<string, ScriptOption>>>(
  { name, does, options }: Script<Options>,
  args: readonly string[],
): { readonly values: Values<Options> } | { readonly help: string } | { readonly wrong: string } {
  const usage = usageOf({ name, does, options });
  if (args.includes('--help') || args.includes('-h')) return { help: usage };
  const wrong = (what: string) => ({ wrong: `npm run ${name}: ${what}\n${usage}` });
  let values: Values<Options>;
  try {
    ({ values } = parseArgs<{ args: string[]; options: Options }>({ args: [...args], options }));
  } catch (error) {
    return wrong(error instanceof Error ? (error.message.split(/\. To specify|\n/)[0] ?? '') : String(error));
  }
  const odd = Object.entries(values).find(([key, value]) => options[key]?.value === 'N' && !isNumber(value));
  return odd ? wrong(`--${odd[0]} '${String(odd[1])}': must be a number of at least 0`) : { values };
}

const isNumber = (value: unknown): boolean => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);

/** The values of a script's arguments. Ends the process with the usage for `--help`, and for arguments that it does not know. */
export function scriptValues<const Options extends Readonly<Record<string, ScriptOption>>>(script: Script<Options>): Values<Options> {
  const read = readScript(script, process.argv.slice(2));
  if ('values' in read) return read.values;
  if ('help' in read) {
    console.log(read.help);
    process.exit(0);
  }
  return endWrong(read.wrong);
}

/** Ends the process with what is wrong with a script's arguments. */
export function endWrong(text: string): never {
  console.error(text);
  process.exit(2);
}

function usageOf({ name, does, options }: Script<Readonly<Record<string, ScriptOption>>>): string {
  const rows = Object.entries(options).map(([key, { value, says, default: initial }]) => {
    const unless = typeof initial === 'string' ? ` (default: ${initial})` : '';
    return [`--${key}${value === undefined ? '' : ` ${value}`}`, `${says}${unless}`] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
  return [`usage: npm run ${name} -- [options]`, does, '', ...lines].join('\n');
}
