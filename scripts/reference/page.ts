/** A page of `docs/reference/`, made from the code that it describes. */
export interface Page {
  /** From the checkout. */
  readonly path: string;
  readonly text: string;
}

/** A page with a title and what `body` says, named as made. */
export function page(name: string, title: string, body: string): Page {
  return { path: `docs/reference/${name}.md`, text: `# ${title}\n\nMade from the code by \`npm run reference\`.\n\n${body.trimEnd()}\n` };
}

/** A table in Markdown; the first row is its head. */
export function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
