import { ERRORS } from '../domain/errors.ts';
import { REASONS } from '../domain/reasons.ts';
import { asyncApi } from '../venue/documents/asyncapi.ts';
import { openApi } from '../venue/documents/openapi.ts';
import { initialOf } from './config/resolved.ts';
import { type Branch, isKey, TREE } from './config/tree.ts';

/** A page of `docs/reference/`, made from the code that it describes. */
export interface Page {
  /** From the checkout. */
  readonly path: string;
  readonly text: string;
}

/** All pages that are made and not written. */
export function referencePages(): readonly Page[] {
  return [
    page('reasons', 'Reason codes', 'Every decision in the journal carries one of these codes, or none. They are stable.', [
      ['code', 'meaning'],
      ...Object.entries(REASONS).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ]),
    page('errors', 'Errors', 'What a command can end with. The line on the terminal says what, where and how to mend it.', [
      ['code', 'exit code', 'meaning'],
      ...Object.entries(ERRORS).map(([code, { exit, meaning }]) => [`\`${code}\``, String(exit), meaning]),
    ]),
    { path: 'docs/openapi.json', text: `${JSON.stringify(openApi('svc'), null, 2)}\n` },
    { path: 'docs/asyncapi.json', text: `${JSON.stringify(asyncApi('svc'), null, 2)}\n` },
    page('settings', 'Settings', SETTINGS, [['key', 'default', 'on loopback', 'meaning'], ...settingRows(TREE, '')]),
  ];
}

const SETTINGS = [
  'Files merge, later wins; then the environment; then `--set KEY=VALUE`. The environment variable of a key is `KAIROS_` and the key in upper snake case',
  '(`KAIROS_JOURNAL_PATH`); those of `service.*` that differ are named. Secrets come from the environment, or from a file of mode 0600 that `..._FILE` names, and',
  'from nowhere else. Paths are relative to the folder in which the command runs. Numbers of time are milliseconds.',
].join('\n');

function settingRows(branch: Branch, prefix: string): string[][] {
  return Object.entries(branch).flatMap(([name, node]) => {
    if (!isKey(node)) return settingRows(node, `${prefix}${name}.`);
    const key = `\`${prefix}${name}\`${node.env ? ` (\`${node.env}\`)` : ''}`;
    const known = node.onLoopback === undefined ? '' : 'that of the paper venue';
    if (node.secret) return [[key, 'none', known, `${node.doc} (secret)`]];
    const usual = shown(initialOf(node, 'live'));
    const onLoopback = shown(initialOf(node, 'loopback'));
    return [[key, usual, onLoopback === usual ? '' : onLoopback, node.doc]];
  });
}

function shown(value: unknown): string {
  return value === null || value === undefined ? 'none' : `\`${JSON.stringify(value)}\``;
}

function page(name: string, title: string, intro: string, [head = [], ...rows]: string[][]): Page {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
  return {
    path: `docs/reference/${name}.md`,
    text: `# ${title}\n\nMade from the code by \`npm run reference\`.\n\n${intro}\n\n${table}\n`,
  };
}
