import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { printJson, printLine, printTable } from './output.ts';

/** Adds `docs`: the pages of this version, one of them, or a search in all. */
export function addDocs(command: Command): void {
  command
    .argument('[topic...]', 'a page, a code, or words to search for')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  kairos docs\n  kairos docs go-live\n  kairos docs unknown outcome')
    .action(docs);
}

async function docs(topic: readonly string[], { json }: { readonly json?: boolean }): Promise<void> {
  const { documentNamed, documents, searched } = await import('#adapters/doc-pages/documents.ts');
  const all = documents();
  const asked = topic.join(' ');
  if (asked === '') {
    const pages = all.map(({ name, title }) => ({ name, title }));
    return json
      ? printJson(pages)
      : printTable(
          ['page', 'title'],
          pages.map(({ name, title }) => [name, title]),
        );
  }
  const page = documentNamed(asked, all);
  if (page) return json ? printJson(page) : page.text.split('\n').forEach(printLine);
  const hits = searched(asked, all);
  if (hits.length === 0) throw new KairosError('NOT_FOUND', `no page has ${JSON.stringify(asked)}: \`kairos docs\` lists all pages`);
  if (json) return printJson(hits);
  printTable(
    ['page', 'heading', 'text'],
    hits.map(({ name, heading, line }) => [name, heading, line]),
  );
}
