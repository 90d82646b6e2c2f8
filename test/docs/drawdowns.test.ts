import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { METRICS } from '#server/metrics/catalog.ts';

const FOLDERS = ['docs', 'docs/how-to', 'docs/reference'];
const PAGES = FOLDERS.flatMap((folder) => readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : [])));
/** Of the account, of a run's equity, or both. */
const NAMED = /(?:account|equity)\s+drawdowns?|equity and its drawdown|two drawdowns/gi;
/** Names of fields, events and options, links, and what a terminal printed. */
const NAMES = /```[\s\S]*?```|`[^`]*`|\S*\.\S*drawdown\S*|\w+Drawdown\w*|\[[^\]]*\]\([^)]*\)/gi;

const bare = (text: string): readonly string[] =>
  text
    .replaceAll(NAMES, '')
    .replaceAll(NAMED, '')
    .match(/.{0,40}drawdown.{0,20}/gi) ?? [];

test('a drawdown without a name is found', () => {
  expect(bare('the drawdown of `money.drawdown`, an equity drawdown')).toEqual(['the drawdown of , an ']);
});

test.each(PAGES)('%s says which of the two drawdowns it means', (page) => {
  expect(bare(readFileSync(page, 'utf8'))).toEqual([]);
});

test('the metric says that it is of the account', () => {
  expect(METRICS.kairos_drawdown_ratio.help).toContain('account drawdown');
});
