// For pm2 7: `npx pm2 start ecosystem.config.js`. With "type": "module" it needs the named export `apps`.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The Node that `npm ci` brings; where it brings none, the one that runs pm2. */
const local = fileURLToPath(new URL(`node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url));

export const apps = [
  {
    name: 'kairos',
    script: fileURLToPath(new URL('bin/kairos.mjs', import.meta.url)),
    args: 'run',
    // kairos.yaml is read here, and var/ is written here; `pm2 start ecosystem.config.js --cwd DIR` names another folder.
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    interpreter: existsSync(local) ? local : process.execPath,
    // One process a journal: a second instance would be refused.
    exec_mode: 'fork',
    instances: 1,
    // Online means trading: the daemon says `ready` once its lanes are being opened.
    wait_ready: true,
    listen_timeout: 20_000,
    // A stop takes 10 s at most; pm2 would kill after 1.6.
    kill_timeout: 15_000,
    // Wrong configuration, a broken journal, and one that another instance holds: starting again would not mend them.
    stop_exit_codes: [2, 4, 5],
    exp_backoff_restart_delay: 200,
    max_memory_restart: '1G',
  },
  {
    // Looks at the daemon from a process of its own, so that an alert survives a dead daemon.
    name: 'kairos-watch',
    script: fileURLToPath(new URL('bin/kairos.mjs', import.meta.url)),
    args: 'watch',
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    interpreter: existsSync(local) ? local : process.execPath,
    exec_mode: 'fork',
    instances: 1,
    kill_timeout: 5_000,
    stop_exit_codes: [2],
    exp_backoff_restart_delay: 200,
    max_memory_restart: '500M',
  },
];
