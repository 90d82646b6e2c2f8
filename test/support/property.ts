import fc from 'fast-check';

/** Properties meet the same cases in every run; `npm run explore` has them drawn anew. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

export { test } from '@fast-check/vitest';
export { fc };
