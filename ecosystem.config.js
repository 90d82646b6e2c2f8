// For pm2 7: `npx pm2 start ecosystem.config.js`, live with `--env live`. With "type": "module" it needs the named export `apps`.
import { fileURLToPath } from 'node:url';
import { ownNode } from './scripts/own-node.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

const SECRETS = /^KAIROS_(?!VENUE_).*(KEY|SECRET|TOKENS?|PASSWORD|PREVIOUS|AUTHORIZATION)$|^KAIROS_ALERTS_([A-Z]+_URL|HEARTBEAT)$/;

/**
 * Secrets of the shell that starts pm2. `pm2 save` would write them into a file that others may read, so they are left out: the daemon reads
 * the files of `secrets/` in its folder, `secrets/KAIROS_API_KEY` and the like.
 * @param {string} variable
 */
export const isSecret = (variable) => SECRETS.test(variable);

const secretsOfShell = Object.keys(process.env).filter(isSecret);
if (secretsOfShell.length > 0)
  console.error(`pm2 would keep ${secretsOfShell.join(', ')} in a file: put each into secrets/ by its name, mode 0600`);

/**
 * The daemon and its watcher as pm2 runs them, under a name of their own. `kairos.yaml` is read in the folder `cwd`, and `var/` is
 * written there. A project of its own imports it from `kairos/pm2`.
 * @param {{ name: string, cwd: string }} where
 */
export const appsFor = ({ name, cwd }) => [
  {
    ...app(name, cwd, 'run'),
    // `pm2 start ecosystem.config.js --env live`: with `mode: live` in the settings it trades with real money.
    env_live: { KAIROS_LIVE: 'yes' },
    // pm2 keeps the environment of an app: a plain start ends what an earlier one said.
    env: { KAIROS_LIVE: 'no' },
    // Online means trading: the daemon says `ready` once its lanes are being opened.
    wait_ready: true,
    listen_timeout: 20_000,
    // A stop takes 10 s at most; pm2 would kill after 1.6.
    kill_timeout: 15_000,
    // Wrong configuration, a broken journal, and one that another instance holds: starting again would not mend them.
    stop_exit_codes: [2, 4, 5],
    max_memory_restart: '1G',
  },
  {
    // Looks at the daemon from a process of its own, so that an alert survives a dead daemon.
    ...app(`${name}-watch`, cwd, 'watch'),
    // pm2 warns of an app that has no such environment.
    env_live: {},
    kill_timeout: 5_000,
    stop_exit_codes: [2],
    max_memory_restart: '500M',
  },
];

/** @type {(name: string, cwd: string, args: string) => object} */
const app = (name, cwd, args) => ({
  name,
  cwd,
  script: `${here}bin/kairos.mjs`,
  args,
  // What is new lies in 16 MB instead of 128: a thousand lanes need no more, and the process is that much smaller.
  node_args: '--max-semi-space-size=8',
  // The Node that an install brings; where it brings none, the one that runs pm2.
  interpreter: ownNode() ?? process.execPath,
  // One process a journal: a second instance would be refused.
  exec_mode: 'fork',
  instances: 1,
  exp_backoff_restart_delay: 200,
  filter_env: secretsOfShell,
});

// `pm2 start ecosystem.config.js --cwd DIR` names another folder than this one.
export const apps = appsFor({ name: 'kairos', cwd: here });
