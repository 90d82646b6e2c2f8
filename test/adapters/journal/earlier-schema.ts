import Database from 'better-sqlite3';
import { schemaAfter } from '#adapters/journal/schema.ts';

/** Makes of a closed journal one that Kairos 0.1.0 has left. */
export function takeBack(path: string): void {
  const earlier = new Database(path);
  earlier.pragma(`user_version = ${schemaAfter(0)}`);
  earlier.close();
}
