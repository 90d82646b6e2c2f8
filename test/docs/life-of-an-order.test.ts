import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, test } from 'vitest';
import { BLOCK, listOf, type Trip, type TripName } from './trips/list.ts';

/** The way of a quote that becomes an order: a stranger reads it in these files, in this order. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(posix.join(root, file), 'utf8');
const page = read('docs/explanation/life-of-an-order.md');
const rows = [...page.matchAll(/^\| \d+ \| `(src\/[\w/.-]+)` \|.*\| (.*)\|$/gm)].map(([, file = '', joint = '']) => ({
  file,
  joint: joint.trim(),
}));

/** Where each name by which two files are joined is declared. */
const PORTS: Readonly<Record<string, string>> = {
  FeedSink: 'src/ports/feed.ts',
  NumberedEvent: 'src/domain/event.ts',
  HostResult: 'src/core/strategy/instance.ts',
  Broker: 'src/ports/broker.ts',
};

/** The files that an import of a file names, as paths from the checkout. */
const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/^(?:import|export)\b[^;']*'([#.][^']+)'/gm)].map(([, name = '']) =>
    name.startsWith('#') ? `src/${name.slice(1)}` : posix.join(posix.dirname(file), name),
  );

test('the page names seven files from the socket to the broker and two to the bytes, each under 400 lines', () => {
  expect(rows).toHaveLength(9);
  expect(rows[6]?.file).toBe('src/adapters/service-client/orders/broker.ts');
  expect(rows.filter(({ file }) => read(file).split('\n').length > 400)).toEqual([]);
});

test.each(rows.slice(0, -1).map(({ file, joint }, index) => [file, rows[index + 1]?.file ?? '', joint] as const))(
  '%s leads to %s by %s',
  (file, next, joint) => {
    if (joint === 'an import') return expect(importsOf(file)).toContain(next);
    const name = /`(\w+)`/.exec(joint)?.[1] ?? '';
    const declared = PORTS[name] ?? '';
    expect(read(declared)).toMatch(new RegExp(`^export (interface|type) ${name}\\b`, 'm'));
    // Whoever hands over and whoever takes both know the port: themselves, or the file of the same folder that joins them.
    const knows = (one: string) => [one, ...importsOf(one)].some((by) => importsOf(by).includes(declared) || by === declared);
    const joiners: Readonly<Record<string, string>> = {
      FeedSink: 'src/adapters/service-client/quotes/feed.ts',
      HostResult: 'src/core/engine/host-results.ts',
    };
    const joiner = joiners[name];
    if (joiner === undefined) return expect([knows(file), knows(next)]).toEqual([true, true]);
    expect(importsOf(joiner).includes(file) || importsOf(joiner).includes(next)).toBe(true);
    expect(knows(joiner)).toBe(true);
  },
);

test('every file that the page names exists', () => {
  for (const [, file = ''] of page.matchAll(/`(src\/[\w/.-]+\.ts)`/g)) expect(read(file).length).toBeGreaterThan(0);
});

/** They only fall: whoever enters fewer lowers them. */
const MOST: Readonly<Record<TripName, { readonly files: number; readonly functions: number }>> = {
  'quote to order': { files: 43, functions: 200 },
  'answer to books': { files: 28, functions: 119 },
  'quiet quote': { files: 24, functions: 79 },
};

describe('what V8 enters in an engine on a real journal', () => {
  let trips: Record<TripName, Trip>;
  beforeAll(async () => {
    const worker = new Worker(new URL('trips/count.ts', import.meta.url), { execArgv: [] });
    trips = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  });

  test.each(Object.entries(MOST))('%s: as many files and functions as were entered before, or fewer', (name, most) => {
    const trip = Object.entries(trips).find(([one]) => one === name)?.[1] ?? {};
    expect(Object.keys(trip).length).toBeLessThanOrEqual(most.files);
    expect(Object.values(trip).flat().length).toBeLessThanOrEqual(most.functions);
  });

  test('the page lists the files (`npm run trips -- --write` does it)', () => {
    expect(BLOCK.exec(page)?.[0]).toBe(listOf(trips));
  });
});
