import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { askProof } from '#assembly/own-venue.ts';
import { makeVenueKey, proofOf, venueKey } from '#paper-venue/proof.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { type OtherService, otherService, STRANGER } from '../support/other-service.ts';
import { SETTINGS } from './venue-rig.ts';

let state: string;
let venue: Venue | undefined;
let other: OtherService | undefined;
beforeEach(() => {
  state = newFolder();
  vi.stubEnv('XDG_STATE_HOME', state);
});
afterEach(async () => {
  await other?.close();
  await venue?.close();
  vi.unstubAllEnvs();
  other = undefined;
  venue = undefined;
});

const file = () => path.join(state, 'kairos/venue.key');

test('a venue proves what it is, directly and behind a relay; its key is its user alone to read', async () => {
  venue = await startVenue(SETTINGS, systemTimers);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(await askProof(venue.url)).toBe('venue');
  other = await otherService(venue.port, {});
  expect(await askProof(other.url)).toBe('venue');
  expect(Object.keys(other.headers[0] ?? {}).sort()).toEqual(['connection', 'host']);
});

test.each([
  ['with no such path', () => STRANGER],
  ['that says back what it was asked', () => said((nonce) => nonce)],
  ['that knows another key', () => said((nonce) => proofOf(Buffer.alloc(32, 1), nonce) ?? '')],
  ['that says an old answer again', () => said(() => proofOf(venueKey() ?? Buffer.alloc(0), 'a'.repeat(64)) ?? '')],
  ['that answers without end', () => ({ answer: () => ({ status: 200, headers: {}, body: 'x'.repeat(1e6) }) })],
])('a service on this machine %s is none', async (_what, ways) => {
  venue = await startVenue(SETTINGS, systemTimers);
  other = await otherService(venue.port, ways());
  expect(await askProof(other.url)).toBe('other');
});

test('nothing is asked off this machine, by TLS, or where no venue of this user ever ran', async () => {
  venue = await startVenue(SETTINGS, systemTimers);
  other = await otherService(venue.port, {});
  expect(await askProof('https://service.example')).toBe('other');
  expect(await askProof(other.url.replace('http:', 'https:'))).toBe('other');
  rmSync(file());
  expect(await askProof(other.url)).toBe('other');
  expect(other.asked).toEqual([]);
});

test('a key that others can read is none, and no venue replaces it', async () => {
  makeVenueKey();
  chmodSync(file(), 0o644);
  const told: string[] = [];
  venue = await startVenue(SETTINGS, systemTimers, (line) => told.push(line));
  expect(venueKey()).toBeUndefined();
  expect(told.join()).toMatch(/run dry at it: .*venue\.key is not a key that you alone can read: remove it/);
  expect(await askProof(venue.url)).toBe('other');
});

test('where the state folder cannot be written a venue trades all the same, and says what bots make of it', async () => {
  writeFileSync(path.join(state, 'file'), '');
  vi.stubEnv('XDG_STATE_HOME', path.join(state, 'file'));
  const told: string[] = [];
  venue = await startVenue(SETTINGS, systemTimers, (line) => told.push(line));
  expect(told.join()).toMatch(/run dry at it/);
});

test('a service that is not there is silent, not a stranger', async () => {
  makeVenueKey();
  expect(await askProof(`http://127.0.0.1:${await freePort()}`)).toBe('silent');
});

/** A service that answers a challenge by a rule of its own. */
const said = (rule: (nonce: string) => string) => ({
  answer: (_said: unknown, { path: asked }: { readonly path: string }) => ({
    status: 200,
    headers: {},
    body: JSON.stringify({ proof: rule(new URL(asked, 'http://x').searchParams.get('nonce') ?? '') }),
  }),
});
