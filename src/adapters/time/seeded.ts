/** Seeds are pure, so they stand in the domain, where strategies and the venue may use them too. */
export { type Seeded, seeded } from '#domain/seeded.ts';
