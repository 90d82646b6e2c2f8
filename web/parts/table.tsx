import type { ComponentChildren } from 'preact';

export interface TableColumn {
  readonly title: string;
  /** Figures stand under each other. */
  readonly isFigure?: boolean;
}

export interface TableRow {
  readonly key: string;
  readonly cells: readonly ComponentChildren[];
  readonly alarm?: boolean;
}

/** A table that becomes a list of cards on a phone. */
export function Table({
  caption,
  columns,
  rows,
}: {
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
}) {
  return (
    <table class="data">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isFigure }) => (
            <th key={title} scope="col" class={isFigure ? 'figure' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells, alarm }) => (
          <tr key={key} class={alarm ? 'urgent' : undefined}>
            {cells.map((cell, n) => (
              <td key={columns[n]?.title} data-title={columns[n]?.title} class={columns[n]?.isFigure ? 'figure' : undefined}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
