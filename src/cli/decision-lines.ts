import { styleText } from 'node:util';
import type { DecisionRecord } from '#adapters/journal/chain.ts';
import { decisionOf, detailOf } from '#adapters/journal/records.ts';
import { oneLine } from '#domain/one-line.ts';
import { describeDecision } from '#report/decision-words.ts';

type Colour = Parameters<typeof styleText>[0];

const COLOURS: Readonly<Record<string, Colour>> = {
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

/** A decision as one line for people: time, kind, strategy, product, reason, order, and what tells most about it. */
export class DecisionLines {
  private strategyWidth = 8;
  private productWidth = 6;
  private reasonWidth = 8;
  private orderWidth = 6;

  /** The line of a row. Columns grow with what was seen, so that the lines of one listing stand under each other. */
  line(record: DecisionRecord): string {
    const { at, kind, strategy, product, reason, order_id } = record;
    const columns = [
      at,
      coloured(kind, kind.padEnd(8)),
      (strategy ?? '-').padEnd(this.strategyWidth),
      (product ?? '-').padEnd(this.productWidth),
      (reason ?? '-').padEnd(this.reasonWidth),
      (order_id ?? '-').padEnd(this.orderWidth),
      oneLine(describeDecision(decisionOf(record))),
    ];
    return columns.join('  ').trimEnd();
  }

  /** Makes room for rows that are about to be printed. */
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
  return colour === undefined ? text : styleText(colour, text, { stream: process.stdout });
}
