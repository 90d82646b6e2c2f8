import { describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { FaultList } from '#config/faults.ts';
import { layerOf } from '#config/layer.ts';
import { inspectConfig } from '#config/load.ts';
import { ALL_KEYS } from '#config/tree.ts';
import { parseSource } from '#config/yaml-source.ts';
import { anyText, fc, test } from '../support/property.ts';

/** Reads text as a file of settings would be; returns the lines of what is wrong. */
function linesOf(text: string): string[] {
  const faults = new FaultList();
  const source = parseSource(text, 'kairos.yaml', faults);
  if (source) layerOf(source, faults);
  return faults.all.map(({ line }) => line);
}

/** Text with many of the characters that mean something in YAML. */
const yamlish = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    '1',
    '0',
    ':',
    ' ',
    '\n',
    '-',
    '{',
    '}',
    '[',
    ']',
    '*',
    '&',
    '!',
    '|',
    '>',
    '"',
    "'",
    '#',
    '%',
    '@',
    '?',
    ',',
    '<',
    '.',
    '~',
    '\t',
  ),
  maxLength: 80,
});

const leaf = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom('off', 'auto', '.inf', '~'));
const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 4 }), fc.dictionary(fc.string(), leaf, { maxKeys: 4 }));
const tree = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom('service', 'risk', 'strategies', 'schedule', 'venue', '__proto__', 'constructor', 'toString')),
  fc.oneof(
    value,
    fc.array(fc.dictionary(fc.constantFrom('id', 'use', 'product', 'amount', 'params', 'budget', 'x'), value), { maxLength: 3 }),
  ),
  { maxKeys: 5 },
);

describe('B10-B19 no text makes Kairos fall over: it reads it, or says in one line what is wrong', () => {
  test.prop([yamlish], { numRuns: 600 })('text made of what YAML is made of', (text) => {
    for (const line of linesOf(text)) expect(line).toMatch(/^kairos\.yaml(:\d+)?: [^\n]+$/);
  });

  test.prop([anyText({ maxLength: 200 })], { numRuns: 200 })('any text', (text) => {
    for (const line of linesOf(text)) expect(line).not.toContain('\n');
  });

  test.prop([tree], { numRuns: 300 })('any tree of values under names known and unknown', (settings) => {
    for (const line of linesOf(stringify(settings))) expect(line).not.toContain('\n');
  });

  test.prop([fc.constantFrom(...ALL_KEYS.map(({ name }) => name)), fc.oneof(value, fc.string()), fc.boolean()], { numRuns: 250 })(
    'any value for any setting, through all of the checks',
    (name, given, live) => {
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      const inspected = inspectConfig({ env: {}, cwd: import.meta.dirname, set: [`${name}=${text}`], live });
      if ('faults' in inspected) for (const { line } of inspected.faults) expect(line).not.toContain('\n');
      else expect(() => JSON.parse(inspected.config.json)).not.toThrow();
    },
  );

  test.prop([anyText({ maxLength: 60 })], { numRuns: 150 })('any text after --set', (argument) => {
    const inspected = inspectConfig({ env: {}, cwd: import.meta.dirname, set: [argument] });
    if ('faults' in inspected) for (const { line } of inspected.faults) expect(line).not.toContain('\n');
  });
});

test('no prototype was touched on the way', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
});
