import { pathToFileURL } from 'node:url';
import { messageOf } from '#domain/errors.ts';
import { cutText } from './kept-text.ts';

/** Where a strategy's code is written, so that what goes wrong in it names lines of the source. */
export interface StrategyOrigin {
  /** Its own files, by absolute path, as a reader knows them; the module itself first. */
  readonly files: ReadonlyMap<string, string>;
  /** `file:line:column` of `signals` and of `decide` in the module. */
  readonly signals: string;
  readonly decide: string;
  /** A variable that outlives a call and is changed, with `file:line:column`; undefined where `decide` is a function of what it is given. */
  readonly keeps?: string | undefined;
}

/** An error of a strategy as it is journaled and shown. */
export interface StrategyError {
  /** `file:line:column: message`, of the innermost place in the strategy's own files. */
  readonly error: string;
  /** Places in its own files, the innermost first; the whole stack where no files are known. */
  readonly stack: string;
}

/** Names the place in the strategy's source where an error arose; without its files the message alone. */
export function thrownBy(error: unknown, origin: Pick<StrategyOrigin, 'files'> | undefined): StrategyError {
  const message = cutText(messageOf(error));
  const stack = stackOf(error);
  if (!origin) return { error: message, stack: cutText(stack) };
  const places = placesIn(stack, origin.files);
  const [first = [...origin.files.values()][0]] = places;
  return { error: first === undefined ? message : `${first}: ${message}`, stack: cutText(places.map((place) => `at ${place}`).join('\n')) };
}

/** Frames stand at the end of a stack, behind a message of whatever length. */
const MAX_STACK = 32_768;

/** The stack of whatever was thrown; empty where there is none that can be read. */
function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack ?? '').slice(-MAX_STACK) : '';
  } catch {
    // A getter of the strategy's own: its error has a text all the same.
    return '';
  }
}

/** The innermost place in a strategy's own files that an error's stack names; undefined where it names none. */
export const placeOfError = (error: unknown, { files }: Pick<StrategyOrigin, 'files'>): string | undefined =>
  placesIn(stackOf(error), files)[0];

/** `file:line:column` of each frame of a stack that lies in one of the files; positions are those of the source, by its map. */
function placesIn(stack: string, files: StrategyOrigin['files']): readonly string[] {
  return stack.split('\n').flatMap((line): readonly string[] => {
    if (!/^\s+at /.test(line)) return [];
    for (const [file, name] of files) {
      for (const written of [pathToFileURL(file).href, file]) {
        const at = line.indexOf(written);
        const place = at < 0 ? undefined : /^(?:\?gen=\d+)?:(\d+:\d+)\)?$/.exec(line.slice(at + written.length))?.[1];
        if (place !== undefined) return [`${name}:${place}`];
      }
    }
    return [];
  });
}
