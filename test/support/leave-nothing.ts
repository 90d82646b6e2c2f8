import { afterAll, expect, vi } from 'vitest';

/** Files of tests share a process: what one has put in the place of something goes with it, so that their order never matters. */
const before = { folder: process.cwd(), exitCode: process.exitCode };
const environment = { ...process.env };
const differing = (): readonly string[] =>
  Object.keys({ ...environment, ...process.env }).filter((name) => environment[name] !== process.env[name]);

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  const left = { folder: process.cwd(), exitCode: process.exitCode, variables: differing() };
  expect(left, 'what this file leaves to the next').toEqual({ ...before, variables: [] });
});
