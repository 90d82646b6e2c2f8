// Plain JS that any Node >= 14.8 can parse. better-sqlite3 13 does not fail on Node < 22.14: it segfaults. So check first.
import { spawn } from 'node:child_process';
import { ownNode } from './own-node.mjs';

/** @type {readonly [number, number]} */
export const MIN = [22, 19];
/**
 * Whose end ends this process too: of npm, where npx or an npm script started it, and of the older Node that started this one. Any other
 * shell or manager may go while a daemon goes on.
 */
const starter = process.env.KAIROS_REEXEC || (process.env.npm_command && String(process.ppid));
if (starter) process.env.KAIROS_STARTER = `${process.pid} ${starter}`;
else delete process.env.KAIROS_STARTER;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MIN[0] || (major === MIN[0] && minor < MIN[1])) {
  const local = process.env.KAIROS_REEXEC ? undefined : ownNode();
  if (local === undefined) {
    console.error(
      `Node >= ${MIN.join('.')} is needed (this is ${process.versions.node}). Run 'npm ci' (brings one on Linux) or install Node 24.`,
    );
    process.exit(1);
  }
  const child = spawn(local, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, KAIROS_REEXEC: String(process.pid) },
  });
  /** @type {readonly NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];
  for (const s of signals) process.on(s, () => child.kill(s));
  let closed = false;
  process.on('SIGHUP', () => {
    closed = true;
  });
  if (starter) {
    const look = setInterval(() => {
      if (closed || process.ppid === Number(starter)) return;
      clearInterval(look);
      child.kill('SIGTERM');
    }, 200);
  }
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    for (const s of signals) process.removeAllListeners(s);
    process.kill(process.pid, signal);
  });
  await new Promise(() => {});
}
// Another Kairos that this process starts has a starter of its own.
delete process.env.KAIROS_REEXEC;
