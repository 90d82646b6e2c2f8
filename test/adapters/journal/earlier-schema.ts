import Database from 'better-sqlite3';

const TO_3 = 'DROP TABLE watermarks; DROP TABLE archives; DROP TABLE backtests; DROP TABLE snapshots;';
const TO_2 = `${TO_3} DROP INDEX decisions_beside_orders; DROP INDEX orders_open; CREATE INDEX decisions_by_kind ON decisions (kind);
  CREATE INDEX decisions_by_inbox ON decisions (inbox_seq); CREATE INDEX orders_by_state ON orders (state);`;
const TO_1 = `${TO_2} DROP INDEX notifications_by_transfer; DROP INDEX notifications_without_transfer;`;

const BACK: ReadonlyMap<number, string> = new Map([
  [1, TO_1],
  [2, TO_2],
  [3, TO_3],
]);

/** The schemas of earlier versions of Kairos that a journal is taken back to. */
export const EARLIER = [...BACK.keys()];

/** Makes of a closed journal one that an earlier Kairos has left. */
export function takeBack(path: string, version: number): void {
  const back = BACK.get(version);
  if (back === undefined) throw new Error(`no way back to schema ${version}`);
  const earlier = new Database(path);
  earlier.exec(`${back} PRAGMA user_version = ${version}`);
  earlier.close();
}
