/** Marks a file as a journal of Kairos in its SQLite header ("KAIR"). */
export const APPLICATION_ID = 0x4b414952;

/** The schema of 0.1.0, the first that was released. */
const FIRST_SCHEMA = 11;

/**
 * The schema of 0.1.0, and a step to each one after it; a step that has shipped is never changed. Each runs in one transaction together
 * with its `PRAGMA user_version`. Decimals are text, times ISO 8601 UTC text with milliseconds.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    book TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    mode TEXT NOT NULL,
    version TEXT NOT NULL,
    config_hash TEXT NOT NULL,
    config_json TEXT NOT NULL,
    end_state TEXT
  ) STRICT;

  CREATE TABLE decisions (
    seq INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    at TEXT NOT NULL,
    inbox_seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    strategy TEXT,
    product TEXT,
    reason TEXT,
    quote_id TEXT,
    order_id TEXT,
    detail TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX decisions_by_order ON decisions (order_id) WHERE order_id IS NOT NULL;
  CREATE INDEX decisions_beside_orders ON decisions (kind) WHERE kind NOT IN ('intent', 'refused', 'approved', 'sent', 'accepted');

  CREATE TABLE orders (
    order_id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    strategy TEXT NOT NULL,
    product TEXT NOT NULL,
    side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
    quote_id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('intent', 'sent', 'accepted', 'rejected', 'unknown', 'expired', 'not_sent')),
    intent_at TEXT NOT NULL,
    sent_at TEXT,
    settled_at TEXT,
    valid_until TEXT NOT NULL,
    price TEXT NOT NULL,
    size TEXT NOT NULL,
    value TEXT NOT NULL,
    fee TEXT NOT NULL,
    fee_ccy TEXT NOT NULL,
    response TEXT
  ) STRICT;
  CREATE INDEX orders_by_intent ON orders (intent_at);
  CREATE INDEX orders_open ON orders (state) WHERE state IN ('intent', 'sent', 'unknown');

  CREATE TABLE ledger (
    entry_id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    at TEXT NOT NULL,
    book TEXT NOT NULL,
    product TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('opening', 'fill', 'fee', 'deposit', 'withdrawal', 'correction', 'financing')),
    currency TEXT NOT NULL,
    amount TEXT NOT NULL,
    order_id TEXT
  ) STRICT;

  CREATE TABLE actions (
    action_id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    name TEXT NOT NULL,
    action TEXT NOT NULL,
    arguments TEXT NOT NULL,
    due_at TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    status TEXT NOT NULL,
    http_status INTEGER,
    response TEXT
  ) STRICT;

  CREATE TABLE notifications (
    id TEXT PRIMARY KEY,
    received_at TEXT NOT NULL,
    type TEXT NOT NULL,
    transfer_id TEXT,
    status TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX notifications_by_transfer ON notifications (transfer_id);
  CREATE INDEX notifications_without_transfer ON notifications (body) WHERE transfer_id IS NULL;

  CREATE TABLE snapshots (
    seq INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL,
    state TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;

  CREATE TABLE backtests (
    run_id TEXT PRIMARY KEY,
    played TEXT NOT NULL
  ) STRICT;

  CREATE TABLE archives (
    seq INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    file TEXT NOT NULL,
    run_id TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE watermarks (
    name TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO watermarks VALUES ('orders', 0);
  `,
  // A position that is opened over the dust of another is a new one.
  'DELETE FROM snapshots;',
  // Books keep their lots.
  'DELETE FROM snapshots;',
  // The newest signals of each source are found however many others sent.
  "CREATE INDEX IF NOT EXISTS decisions_signals ON decisions (detail ->> 'source') WHERE kind = 'signal';",
  // Parts of a position that are closed before another entry count as one close.
  'DELETE FROM snapshots;',
];

/** The schema that a step leads to, by its place in MIGRATIONS. */
export const schemaAfter = (step: number): number => FIRST_SCHEMA + step;

/**
 * True of every kind but those that the way of an order is made of. A query for another kind names it beside its own condition, and is
 * then answered by an index that the commits of orders need not write.
 */
export const BESIDE_ORDERS = "kind NOT IN ('intent', 'refused', 'approved', 'sent', 'accepted')";

/** True of rows from which losses and rejections are counted anew. */
export const IS_ANEW = `kind IN ('resumed', 'armed') AND ${BESIDE_ORDERS} AND detail ->> 'anew'`;

/** The schema that this Kairos writes. */
export const SCHEMA_VERSION = schemaAfter(MIGRATIONS.length - 1);
