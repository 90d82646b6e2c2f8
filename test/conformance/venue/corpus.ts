import { readFileSync } from 'node:fs';

/** The saved corpus of bad inputs. What a property test finds goes in there, so that it is tried for ever after. */
interface Corpus {
  readonly bodies: Readonly<Record<string, string>>;
  /** JSON texts of values, as they stand on the wire. */
  readonly numbers: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, string>>;
  readonly signatures: Readonly<Record<string, string>>;
  readonly timestamps: Readonly<Record<string, string>>;
}

export const CORPUS: Corpus = JSON.parse(readFileSync(new URL('./corpus/texts.json', import.meta.url), 'utf8'));
