import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { strategies } from '#config/entries.ts';
import { configJsonSchema, loadConfig } from '#config/load.ts';
import { initialOf } from '#config/resolved.ts';
import { ALL_KEYS } from '#config/tree.ts';
import { flowText } from '#domain/settings/form.ts';
import { VB_PRODUCTS } from '#paper-venue/products.ts';
import { misfits } from './schema-check.ts';
import { folder } from './support.ts';

const shipped = fileURLToPath(new URL('../../config', import.meta.url));
const files = readdirSync(shipped).filter((file) => file.endsWith('.yaml'));
const textOf = (file: string): string => readFileSync(path.join(shipped, file), 'utf8');

const SECRETS = {
  KAIROS_USER_ID: '77',
  KAIROS_API_KEY: 'key',
  KAIROS_API_SECRET: Buffer.from('the secret of a live account').toString('base64'),
};

/** Every example in a schema, with the part that it is of. */
function examplesIn(schema: unknown): readonly { readonly schema: object; readonly example: unknown }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own =
    'examples' in schema && Array.isArray(schema.examples) ? schema.examples.map((example: unknown) => ({ schema, example })) : [];
  return [...own, ...Object.entries(schema).flatMap(([word, part]) => (word === 'examples' || word === 'default' ? [] : examplesIn(part)))];
}

describe('the files that come with Kairos run as they are', () => {
  test('paper.yaml', () => {
    const { settings, mode, notes } = loadConfig({ files: [path.join(shipped, 'paper.yaml')], env: {}, cwd: folder(), live: false });
    expect(mode).toBe('paper');
    expect(notes).toEqual([]);
    expect(settings.strategies.map(({ use }) => use)).toEqual(['sma-cross', 'coin-flip', 'buy-and-hold']);
  });

  test('live.example.yaml, once the secrets are set', () => {
    const load = (env: NodeJS.ProcessEnv) =>
      loadConfig({ files: [path.join(shipped, 'live.example.yaml')], env, cwd: folder(), live: true });
    expect(load(SECRETS)).toMatchObject({ mode: 'live', notes: [] });
    expect(() => load({})).toThrow(/^service\.userId: is needed live; set KAIROS_USER_ID \(and 2 more/);
  });

  test('on paper an order worth 1,000 passes in every product of the venue', () => {
    const { risk } = loadConfig({ env: {}, cwd: folder() }).settings;
    const caps = [risk.maxOrderValue, risk.maxPositionValue];
    for (const { quoteCcy } of VB_PRODUCTS) {
      for (const cap of caps) expect(cap !== 'off' && Number(cap.byCurrency[quoteCcy])).toBeGreaterThanOrEqual(1000);
    }
  });

  test('every key has a word of explanation and a default of its own kind', () => {
    for (const { name, key } of ALL_KEYS) {
      expect(key.doc, name).not.toBe('');
      for (const value of [key.initial, key.onPaper]) {
        if (value !== undefined)
          expect(
            key.kind.read(value, () => {}),
            name,
          ).toBeDefined();
      }
    }
  });

  test('the form that is shown of a group is one that is taken', () => {
    const entry: unknown[] = [];
    for (const { name, key } of ALL_KEYS) {
      for (const { schema, example } of examplesIn(key.kind.schema)) {
        expect(misfits(schema, example), name).toEqual([]);
        expect(parse(flowText(example)), name).toEqual(example);
      }
    }
    const { properties, examples }: { properties: object; examples: object[] } = Object(Object(strategies.schema).items);
    for (const [field, schema] of Object.entries(properties)) {
      for (const { example } of examplesIn(schema).slice(0, 1)) entry.push([field, example]);
    }
    expect(entry.length).toBeGreaterThan(4);
    const whole = [{ ...examples[0], ...Object.fromEntries(entry as [string, unknown][]) }];
    const faults: string[] = [];
    expect(
      strategies.read(whole, (at, wrong) => faults.push(`${at.join('.')} ${wrong}`)),
      faults.join(),
    ).toBeDefined();
  });

  test('no two settings share a variable', () => {
    const names = ALL_KEYS.flatMap(({ env }) => env ?? []);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the editor knows what Kairos knows', () => {
  test.each(files)('%s names the schema in its first line and keeps to it', (file) => {
    expect(textOf(file).split('\n')[0]).toBe('# yaml-language-server: $schema=./schema.json');
    expect(misfits(configJsonSchema(), parse(textOf(file)))).toEqual([]);
  });

  test('it completes every setting but secrets, with what it means and what it is without', () => {
    const offered = (node: unknown, path: readonly string[]): unknown => {
      const [name, ...rest] = path;
      if (name === undefined) return node;
      const inside = typeof node === 'object' && node !== null && 'properties' in node ? Object(node.properties)[name] : undefined;
      return offered(inside, rest);
    };
    for (const { name, path: at, key } of ALL_KEYS) {
      const found = offered(configJsonSchema(), at);
      if (key.secret) expect(found, name).toBeUndefined();
      else expect(found, name).toMatchObject({ description: key.doc, default: initialOf(key, 'paper') });
    }
  });

  test.each([
    ['a misspelt section', { servce: {} }, 'servce'],
    ['a misspelt key', { risk: { maxOrderVaule: 1 } }, 'risk.maxOrderVaule'],
    [
      'a misspelt key of a strategy',
      { strategies: [{ id: 'a', use: 'b', product: 'c', amount: { base: 1 }, parms: {} }] },
      'strategies.0.parms',
    ],
    ['a strategy without an amount', { strategies: [{ id: 'a', use: 'b', product: 'c' }] }, 'strategies.0.amount'],
    ['a secret', { service: { apiSecret: 'x' } }, 'service.apiSecret'],
    ['a wrong type', { lanes: { max: 'many' } }, 'lanes.max'],
    ['a negative limit', { risk: { maxOrderValue: -1 } }, 'risk.maxOrderValue'],
    ['an action that does not exist', { schedule: [{ name: 'a', cron: '* * * * *', action: 'x' }] }, 'schedule.0.action'],
  ])('%s is marked', (_what, value, where) => {
    expect(misfits(configJsonSchema(), value)).toContain(where);
  });
});
