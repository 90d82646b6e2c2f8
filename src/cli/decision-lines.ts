import { type DecisionRecord, decisionOf, detailOf } from '#adapters/journal/records.ts';
import { oneLine, shown } from '#domain/one-line.ts';
import { describeDecision } from '#report/decision-words.ts';
import { withLocalTime } from './instant.ts';
import { painted } from './meaning.ts';
import { shortTimes } from './terminal-text.ts';

const COLOURS: Readonly<Record<string, Parameters<typeof painted>[0]>> = {
  accepted: 'green',
  rejected: 'red',
  unknown: 'magenta',
  halted: 'red',
  disabled: 'red',
  threw: 'red',
  refused: 'yellow',
  expired: 'yellow',
  not_sent: 'yellow',
  intent: 'cyan',
};

/** Maximum width of a line if no terminal gives one. */
const WIDTH = 120;
/** A terminal of fewer columns has room for the words of a row only where other columns are left out. */
const NARROW = 110;
/** A UUID, which is shown by its first eight digits. */
const UUID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** How a row is printed. */
interface LineLook {
  /** Prints the whole row, whatever its length. */
  readonly isWide?: boolean;
  /** Prints local time beside UTC. */
  readonly isLocal?: boolean;
  /** For a screen of so many columns: time, kind, strategy and words, and nothing else. */
  readonly width?: number;
}

/** A decision as one line for people: time, kind, strategy, product, reason, order and its main detail. */
export class DecisionLines {
  private strategyWidth = 8;
  private productWidth = 6;
  private reasonWidth = 8;
  private orderWidth = 6;
  private readonly look: LineLook;

  constructor(look: LineLook = {}) {
    const { columns = WIDTH, isTTY } = process.stdout;
    const isNarrow = isTTY && columns < NARROW && !look.isWide && !look.isLocal;
    this.look = isNarrow ? { width: columns, ...look } : look;
  }

  /** The line of a row. Columns grow with their content, which aligns the lines of a listing. */
  line(record: DecisionRecord): string {
    const { at, kind, strategy, product, reason, order_id } = record;
    const who = (strategy ?? '-').padEnd(this.strategyWidth);
    const columns =
      this.look.width === undefined
        ? [
            this.look.isLocal ? withLocalTime(at) : at,
            kind.padEnd(8),
            who,
            (product ?? '-').padEnd(this.productWidth),
            (reason ?? '-').padEnd(this.reasonWidth),
            (order_id ?? '-').padEnd(this.orderWidth),
            this.words(record),
          ]
        : [shortTimes(at, Date.now()), kind.padEnd(8), who, this.words(record)];
    const line = this.fitted(shown(columns.join('  ').trimEnd()));
    return line.replace(`  ${kind}`, () => `  ${coloured(kind, kind)}`);
  }

  private words(record: DecisionRecord): string {
    const words = oneLine(describeDecision(decisionOf(record)));
    return this.look.isWide ? words : words.replace(UUID, '$1');
  }

  private fitted(line: string): string {
    const { width = process.stdout.isTTY ? process.stdout.columns || WIDTH : WIDTH } = this.look;
    return this.look.isWide || line.length <= width ? line : `${line.slice(0, width - 1)}\u2026`;
  }

  /** Widens columns for rows that are about to be printed. */
  fit(records: readonly DecisionRecord[]): this {
    for (const { strategy, product, reason, order_id } of records) {
      this.strategyWidth = Math.max(this.strategyWidth, strategy?.length ?? 0);
      this.productWidth = Math.max(this.productWidth, product?.length ?? 0);
      this.reasonWidth = Math.max(this.reasonWidth, reason?.length ?? 0);
      this.orderWidth = Math.max(this.orderWidth, order_id?.length ?? 0);
    }
    return this;
  }
}

/** A row as JSON for scripts: the columns of the table, its detail as an object. */
export function decisionJson(record: DecisionRecord): Readonly<Record<string, unknown>> {
  return { ...record, detail: detailOf(record) };
}

/** Colour on a terminal only; `NO_COLOR` and `FORCE_COLOR` are obeyed. */
function coloured(kind: string, text: string): string {
  const colour = COLOURS[kind];
  return colour === undefined ? text : painted(colour, text);
}
