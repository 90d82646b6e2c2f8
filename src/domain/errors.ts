import { oneLine, shown } from './one-line.ts';

/**
 * Every error that Kairos can show a user, with a stable code and the exit code it ends a command with. The message
 * says what, where and how to mend it, in one line.
 */
export const ERRORS = {
  USAGE: { exit: 2, meaning: 'the command line is wrong' },
  CONFIG_INVALID: { exit: 2, meaning: 'a setting has a wrong value' },
  CONFIG_UNKNOWN_KEY: { exit: 2, meaning: 'a setting that does not exist' },
  CONFIG_UNREADABLE: { exit: 2, meaning: 'a configuration file cannot be read or parsed' },
  SECRET_EXPOSED: { exit: 2, meaning: 'a secret is readable by others' },
  STRATEGY_NOT_FOUND: { exit: 2, meaning: 'no such strategy module' },
  STRATEGY_INVALID: { exit: 2, meaning: 'a strategy module breaks the contract' },
  MODE: { exit: 2, meaning: 'this configuration does not allow the requested mode' },
  BOOK_MISMATCH: { exit: 2, meaning: 'the journal belongs to another book' },
  JOURNAL_NEWER: { exit: 2, meaning: 'the journal was written by a newer Kairos' },
  JOURNAL_UNUSABLE: { exit: 2, meaning: 'the journal cannot be opened or is not a journal' },
  MEMORY_FULL: { exit: 1, meaning: 'the daemon exceeded one and a half times trading.maxMemoryMb' },
  JOURNAL_LEASED: { exit: 5, meaning: 'another process holds the journal' },
  JOURNAL_BROKEN: { exit: 4, meaning: 'the journal fails its own check' },
  JOURNAL_FAULT: { exit: 1, meaning: 'the journal could not commit, or its disk is full' },
  JOURNAL_BUSY: { exit: 1, meaning: 'another process held the journal during a commit or a start' },
  BACKUP_FAILED: { exit: 1, meaning: 'a backup of the journal could not be written' },
  RECORDING_FAULT: { exit: 1, meaning: 'the inbox log of a run could not be written' },
  EXPORT_FAILED: { exit: 1, meaning: 'recorded quotes could not be written into a file' },
  DATA_UNREADABLE: { exit: 2, meaning: 'a file to import cannot be read, or a row of it' },
  RECORDING_DAMAGED: { exit: 4, meaning: 'a recording fails its own check' },
  RECORDING_UNREADABLE: { exit: 2, meaning: 'an inbox log cannot be read' },
  RECORDING_FORMAT: { exit: 2, meaning: 'a recording is of another format than this Kairos reads' },
  PORT_IN_USE: { exit: 1, meaning: 'another program listens on the port' },
  VENUE_DATABASE: { exit: 2, meaning: "the paper venue's database cannot be opened" },
  PRICES_UNREADABLE: { exit: 2, meaning: 'a price file cannot be read or lacks a column' },
  SERVICE_UNREACHABLE: { exit: 1, meaning: 'the service does not answer' },
  SERVICE_REFUSED: { exit: 1, meaning: 'the service refused a request' },
  SERVICE_UNREADABLE: { exit: 1, meaning: 'the service answered with something unreadable' },
  REMOTE_INVALID: { exit: 2, meaning: 'a request to the service is invalid; nothing was sent' },
  REMOTE_UNKNOWN: { exit: 1, meaning: "the outcome of a request about the service's strategies is unknown" },
  PRODUCT_UNKNOWN: { exit: 2, meaning: 'the service does not list the product' },
  OPS_UNAVAILABLE: { exit: 1, meaning: 'the running daemon cannot be reached' },
  ALERT_UNDELIVERED: { exit: 1, meaning: 'a test of alerts did not reach every channel' },
  ACT_REFUSED: { exit: 3, meaning: 'the request of a person is refused' },
  ACT_UNFINISHED: { exit: 1, meaning: 'the request of a person was not completed' },
  DOCTOR_FAILED: { exit: 1, meaning: 'the doctor found a fault that would stop trading' },
  TRADING_STOPPED: { exit: 3, meaning: 'the only finding: trading is halted or disarmed' },
  DRILL_REFUSED: { exit: 3, meaning: 'a halt drill could do harm now, or would prove nothing' },
  DRILL_FAILED: { exit: 4, meaning: 'a halt drill did not show that a halt stops orders' },
  HALT_UNSEEN: { exit: 1, meaning: 'the running daemon did not see a halt' },
  WARMUP_SHORT: { exit: 4, meaning: 'signals differ when they are warmed up for longer' },
  STRATEGY_FAILED: {
    exit: 5,
    meaning: 'a strategy failed in a backtest or search; the result is shown',
  },
  SWEEP_FAILED: { exit: 1, meaning: 'a thread or worker of a sweep failed; finished trials are kept' },
  SCREEN_DIFFERS: { exit: 1, meaning: 'the engine did not confirm a screened trial; the case is in a file' },
  QUEUE_UNREACHABLE: { exit: 1, meaning: 'the queue of a sweep on many machines cannot be used' },
  QUEUE_TAKEN: { exit: 3, meaning: 'another coordinator plays the same sweep on the same queue' },
  BLOB_UNAVAILABLE: {
    exit: 1,
    meaning: 'quotes or strategies of a sweep cannot be had from its coordinator',
  },
  PARITY_BROKEN: { exit: 4, meaning: 'the replay of a run made another decision' },
  NOT_FOUND: {
    exit: 2,
    meaning: 'what was named is not there, such as a run or an order',
  },
  DECLINED: { exit: 3, meaning: 'a person did not confirm' },
  NOT_OPEN: { exit: 3, meaning: 'the order has an outcome already' },
} as const;

/** A stable code of the registry. */
export type ErrorCode = keyof typeof ERRORS;

/** True for a code of the registry. */
export const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERRORS, code);

/** An error of the registry that is not a bug: one clear line for the user, a stable code for scripts. */
export class KairosError extends Error {
  override readonly name = 'KairosError';
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(shown(message), options);
    this.code = code;
  }
  get exitCode(): number {
    return ERRORS[this.code].exit;
  }
}

/** Throws on what cannot happen unless the code is wrong. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** Ends a switch over a union: the compiler proves that nothing is left. Throws if a value gets here all the same. */
export function never(value: never): never {
  throw new Error(`unexpected: ${JSON.stringify(value)}`);
}

/** The text of whatever was thrown, on one line unless it is a KairosError. Never throws. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof KairosError) return error.message;
    return oneLine(String(error instanceof Error ? error.message : error));
  } catch {
    // An object without a text, or one whose getters throw.
    return 'something that has no text';
  }
}
