import Database from 'better-sqlite3';
import { MIGRATIONS, SCHEMA_VERSION } from '#adapters/journal/schema.ts';
import { DECISION_KINDS } from '#domain/decision-kinds.ts';
import { type Page, page } from './page.ts';

const INTRO = [
  'The journal is one SQLite file in WAL mode; any SQLite tool reads it while the daemon runs. A column is text that is never null, unless its brackets say otherwise.',
  'Amounts are decimals, times ISO 8601 UTC with milliseconds. `run_id` is the row of `runs`; `at` is when it was done.',
  '`decisions` is append-only and chained by hashes; `orders`, `ledger`, `actions` and `notifications` follow from it, and `kairos journal verify` rebuilds and compares them.',
  'An order has its row at most a quarter of a second after it left. A process that was killed in between leaves that to the next start; commands show it before.',
  '`snapshots` has one row at most, so that a start reads only what came behind it. It may be deleted while no daemon runs.',
].join('\n');

/** What some columns mean in every table that says nothing else. */
const USUAL: readonly string[] = ['run_id', 'at'];

/** What stands in each column. A test holds it against the schema. */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  archives: {
    seq: 'the last decision in it',
    hash: 'the hash of that decision',
    file: 'its file, in the folder of the journal',
    run_id: 'the last run in it',
  },
  backtests: {
    played: 'what was played, as JSON: recording, hash, products, from, to, headlines',
  },
  runs: {
    run_id: 'when it began and six hex digits',
    book: 'mode, service address and user; `paper` for every venue on this machine',
    started_at: 'when it began',
    ended_at: 'when it ended',
    mode: '`paper`, `dry`, `live` or `backtest`',
    version: 'of Kairos',
    config_hash: 'SHA-256 of `config_json` without `log`',
    config_json: 'all settings, secrets replaced by a mark',
    end_state: '`stopped`, `halted` or `crashed`',
  },
  decisions: {
    seq: 'number of the row, without gaps from 1',
    at: 'engine time of the decision',
    inbox_seq: "the event of the run's recording that it answers; 0: of a command or a start",
    kind: 'see below',
    strategy: 'whose decision it is',
    product: 'what it is about',
    reason: 'a [reason code](reasons.md)',
    quote_id: 'the quote it rests on',
    order_id: 'the order it is about',
    detail: 'the rest, as JSON',
    prev_hash: '`hash` of the row before; 64 zeros for the first',
    hash: 'SHA-256, hex, over `prev_hash` and the JSON array of the other columns without `run_id`',
  },
  orders: {
    order_id: 'inbox number of the quote, and which order on it: `123-1`',
    strategy: "the book that owns it: a strategy's id or `manual`",
    product: 'what was traded',
    side: '`buy` or `sell`',
    quote_id: 'the quote it names; no two orders name one quote',
    state: '`intent`, `sent`, `accepted`, `rejected`, `unknown`, `expired` (too late for the wire) or `not_sent`',
    intent_at: 'when it was decided',
    sent_at: 'when its first byte left',
    settled_at: 'when it had its outcome',
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
    book: "a strategy's id, `manual` or `treasury`",
    product: 'of a fill, fee or financing',
    kind: '`opening`, `fill` (two rows, base and quote), `fee`, `deposit`, `withdrawal`, `correction` or `financing`',
    currency: 'of the amount',
    amount: 'signed; the rows of a book and currency add up to its balance',
    order_id: 'of a fill or fee',
  },
  actions: {
    action_id: 'its name',
    name: "of the schedule's line, or who asked",
    action: 'such as `remote.pauseAll` or `bot.backup`',
    arguments: 'as JSON',
    due_at: 'when it fell due',
    asked_at: 'when it was asked',
    status: '`asked` (202 says no more), `confirmed`, `unverified`, `unknown`, `failed` or `skipped`',
    http_status: "of the service's answer",
    response: 'what it answered, or why not',
  },
  notifications: {
    id: 'its name in Kairos',
    received_at: 'when it came first',
    type: 'such as `DEPOSIT_CONFIRMED`',
    transfer_id: "the service's name of the transfer",
    status: '`booked`, `other_user`, `unknown_type`, `unreadable`, `late` or `conflict`',
    body: 'as it was received',
  },
  snapshots: {
    seq: 'the last row of `decisions` that it stands for',
    entry_id: 'the last row of `ledger` by then; 0 for none',
    state: 'positions, losses in a row, flows, openings and the last rows that count, as JSON',
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
    const parts = names.map((name) => `## ${name}\n\n${columnsOf(database, name).join('\n')}`);
    const kinds = Object.entries(DECISION_KINDS).map(([kind, meaning]) => `- \`${kind}\`: ${meaning}`);
    return page(
      'tables',
      'Tables of the journal',
      [`${INTRO} This is schema ${SCHEMA_VERSION}.`, ...parts, '## Kinds of decisions', kinds.join('\n')].join('\n\n'),
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

function columnsOf(database: Database.Database, name: string): readonly string[] {
  const columns = database.prepare<[string], ColumnInfo>('SELECT name, type, "notnull", pk FROM pragma_table_info(?)').all(name);
  return columns.flatMap(({ name: column, type, notnull, pk }) => {
    const meaning = MEANINGS[name]?.[column];
    if (meaning === undefined && USUAL.includes(column)) return [];
    if (meaning === undefined) throw new Error(`nobody says what ${name}.${column} means`);
    const said = [...(type === 'TEXT' ? [] : [type.toLowerCase()]), ...(pk > 0 ? ['key'] : notnull ? [] : ['or null'])];
    return [`- \`${column}\`${said.length === 0 ? '' : ` (${said.join(', ')})`}: ${meaning}`];
  });
}
