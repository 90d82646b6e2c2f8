import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Published values beside the checkout, which do not belong to the project. */
const folder = fileURLToPath(new URL('../../../shared/vectors/', import.meta.url));

/** True where the published values are at hand; CI must have them, so there they count as present and a miss fails. */
export const vectorsAtHand = existsSync(folder) || process.env.CI !== undefined;

export const NO_VECTORS = vectorsAtHand ? '' : ' (skipped: no ../shared/vectors beside the checkout)';

export const vector = (name: string): string => readFileSync(`${folder}${name}`, 'utf8');
