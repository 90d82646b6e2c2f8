import Database from 'better-sqlite3';
import { MIGRATIONS, SCHEMA_VERSION } from '#adapters/journal/schema.ts';
import { DECISION_KINDS } from '#domain/decision-kinds.ts';
import { type Page, page, table } from './page.ts';

const INTRO = [
  'The journal is one SQLite file in WAL mode; any SQLite tool reads it while the daemon runs. Amounts are decimals as text, times ISO 8601 UTC text with milliseconds.',
  '`decisions` is append-only and chained by hashes; `orders`, `ledger`, `actions` and `notifications` follow from it, and `kairos journal verify` rebuilds and compares them.\nThe row of an order follows its `approved` decision once the order has left: with the next decision about it, or within a quarter of a second. A process that was killed in between left it to the next start; every command of Kairos shows it before that.\n`snapshots` has one row at most: what all rows up to one come to, so that a start reads only those behind; it may be deleted while no daemon runs.',
].join('\n');

const RUN = 'the run; a row of `runs`';

/** What stands in each column. A test holds it against the schema. */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  archives: {
    seq: 'the last decision in it, which the first row behind carries on',
    hash: 'the hash of that decision',
    file: 'its file, in the folder of the journal',
    run_id: 'the last run in it',
    at: 'when it was made',
  },
  backtests: {
    run_id: RUN,
    played: 'what a backtest played, as JSON: the recording with its hash, products, from and to, and the headlines that follow from them',
  },
  runs: {
    run_id: 'when it began and six hex digits',
    book: 'mode, service address and user that the journal belongs to; `paper` for every venue on this machine',
    started_at: 'when it began',
    ended_at: 'when it ended; null while it goes on',
    mode: '`paper`, `dry`, `live` or `backtest`',
    version: 'of Kairos',
    config_hash: 'SHA-256 of `config_json` without `log`',
    config_json: 'all settings, secrets replaced by a mark',
    end_state: '`stopped`, `halted` or `crashed`; null while it goes on',
  },
  decisions: {
    seq: 'number of the row, without gaps from 1',
    run_id: RUN,
    at: 'engine time of the decision',
    inbox_seq: "number of the event in the run's recording that it answers; 0: written by a command while no daemon ran, or at a start",
    kind: 'see below',
    strategy: 'whose decision it is; null where it is about all',
    product: 'what it is about; null where it is about none',
    reason: 'a [reason code](reasons.md), or null',
    quote_id: 'the quote it rests on',
    order_id: 'the order it is about',
    detail: 'the rest, as JSON',
    prev_hash: '`hash` of the row before; 64 zeros for the first',
    hash: 'SHA-256, hex, over `prev_hash` and the JSON array of the other columns without `run_id`',
  },
  orders: {
    order_id: 'inbox number of the quote, and which order on it: `123-1`',
    run_id: RUN,
    strategy: "the book that owns it: a strategy's id or `manual`",
    product: 'what was traded',
    side: '`buy` or `sell`',
    quote_id: 'the quote it names; no two orders name one quote',
    state: '`intent`, `sent`, `accepted`, `rejected`, `unknown`, `expired` (too late for the wire) or `not_sent`',
    intent_at: 'when it was decided',
    sent_at: 'when its first byte left; null where none did',
    settled_at: 'when it was accepted, rejected, expired, not sent or resolved; null before',
    valid_until: "how long the quote lives, on the service's clock",
    price: 'of the quote; of the fill once accepted',
    size: 'in base currency',
    value: 'in quote currency',
    fee: 'positive',
    fee_ccy: 'currency of the fee',
    response: 'body of the answer',
  },
  ledger: {
    entry_id: 'number of the row',
    run_id: RUN,
    at: 'when it was booked',
    book: "a strategy's id, `manual` or `treasury`",
    product: 'of a fill, fee or financing; else null',
    kind: '`opening`, `fill` (two rows, base and quote), `fee`, `deposit`, `withdrawal`, `correction` or `financing`',
    currency: 'of the amount',
    amount: 'signed; the rows of a book and currency add up to its balance',
    order_id: 'of a fill or fee; else null',
  },
  actions: {
    action_id: 'its name',
    run_id: RUN,
    name: "of the schedule's line, or who asked",
    action: 'such as `remote.pauseAll` or `bot.backup`',
    arguments: 'as JSON',
    due_at: 'when it fell due',
    asked_at: 'when it was asked',
    status: '`asked` (202 says no more), `confirmed`, `unverified`, `unknown`, `failed` or `skipped`',
    http_status: "of the service's answer; null where there is none",
    response: 'what it answered, or why not',
  },
  notifications: {
    id: 'its name in Kairos',
    received_at: 'when it came first',
    type: 'such as `DEPOSIT_CONFIRMED`',
    transfer_id: "the service's name of the transfer; null where it has none",
    status: '`booked`, `other_user`, `unknown_type`, `unreadable`, `late` or `conflict`',
    body: 'as it was received',
  },
  snapshots: {
    seq: 'the last row of `decisions` that it stands for',
    entry_id: 'the last row of `ledger` by then; 0 for none',
    state: 'positions, losses in a row, flows and openings, as JSON, and the rows of which the last is what counts',
    hash: 'SHA-256, hex, over the `hash` of that decision and the JSON array of the other columns',
  },
  watermarks: {
    name: '`orders`',
    seq: 'the row of `decisions` up to which that table has all that it follows from',
  },
};

/** The tables of the journal as its own schema makes them, and what their columns mean. */
export function tablesPage(): Page {
  const database = new Database(':memory:');
  try {
    for (const step of MIGRATIONS) database.exec(step);
    const names = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rootpage").pluck().all();
    const parts = names.map((name) => `## ${name}\n\n${table([['column', 'type', 'meaning'], ...columnsOf(database, name)])}`);
    const kinds = table([['kind', 'what it says'], ...Object.entries(DECISION_KINDS).map(([kind, meaning]) => [`\`${kind}\``, meaning])]);
    return page(
      'tables',
      'Tables of the journal',
      [`${INTRO} This is schema ${SCHEMA_VERSION}.`, ...parts, '## Kinds of decisions', kinds].join('\n\n'),
    );
  } finally {
    database.close();
  }
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

function columnsOf(database: Database.Database, name: string): readonly (readonly string[])[] {
  const columns = database.prepare<[string], ColumnInfo>('SELECT name, type, "notnull", pk FROM pragma_table_info(?)').all(name);
  return columns.map(({ name: column, type, notnull, pk }) => {
    const meaning = MEANINGS[name]?.[column];
    if (meaning === undefined) throw new Error(`nobody says what ${name}.${column} means`);
    return [`\`${column}\``, `${type.toLowerCase()}${pk > 0 ? ', key' : notnull ? '' : ', or null'}`, meaning];
  });
}
