import { fileURLToPath } from 'node:url';

/** The strategies that come with Kairos. */
export const PACKAGED_STRATEGIES = fileURLToPath(new URL('../../../strategies', import.meta.url));
