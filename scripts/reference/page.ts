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

const WIDTH = 120;

/** Names that a reader looks for, or copies, as a block of lines. */
export function namesBlock(names: readonly string[]): string {
  const lines: string[] = [];
  for (const [index, name] of names.entries()) {
    const part = index === names.length - 1 ? name : `${name},`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length < WIDTH) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(part);
  }
  return `\`\`\`text\n${lines.join('\n')}\n\`\`\``;
}

/** A table in Markdown; the first row is its head. */
export function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
