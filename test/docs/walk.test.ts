import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { BROKER_KEY } from '#paper-venue/defaults.ts';
import { rowsOf } from '../support/books.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { freePort } from '../support/free-port.ts';
import { endAll, KAIROS, Started } from '../support/process.ts';
import { ROOT } from '../support/root.ts';
import { lookFor } from '../support/wait-for.ts';
import { allPages, hasCommands, stepsOf } from './blocks.ts';
import { asksFirst, kairosCalls } from './parser.ts';
import { unlike } from './shape.ts';

/** A name space of its own: its disk is mounted for nobody else, and all that was started in it ends with it. */
const APART = ['-rmpf', '--mount-proc', '--kill-child'];
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...APART, 'sh', '-c', `mount -t tmpfs -o size=1m none '${import.meta.dirname}'`], { timeout: 20_000 }).status === 0;

/** One shell for the whole page, which reads a line when the one before has ended, and tells how it did. */
const SHELL = `set -m; exec 2>&1 3<&0 </dev/null
while IFS= read -r line <&3; do eval "$line"; printf '\\n--- ended with %s\\n' $?; done`;
const END = /\n--- ended with (\d+)\n/;

const MAX_MS = 100_000;

/** What needs root, an installation or systemd, and what stands for it here: the units' own lines are done, without systemd. */
const PROGRAMS = {
  sudo: '[ "$1" = -u ] && shift 2\nexec env "$@"',
  chown: '',
  npx: `name=$1; shift
case $name in kairos) exec node '${KAIROS}' "$@";; pm2) exec node '${ROOT}/node_modules/pm2/bin/pm2' "$@";; esac
exit 127`,
  // An upgrade finds the journal of an earlier Kairos.
  npm: `PATH=\${PATH#*:}
case $1 in init) exec npm "$@";; esac
npm pkg set dependencies.kairos=file:../kairos-0.1.0.tgz
mkdir -p node_modules && ln -sfn '${ROOT}' node_modules/kairos
case "$*" in *0.2.0*) exec node -e "import('${ROOT}/test/adapters/journal/earlier-schema.ts').then((one) => one.takeBack('var/kairos.db'))";; esac`,
  systemctl: `here=$(dirname "$0")/..; stop=; [ "$1" = stop ] && stop=yes; shift
for name in "$@"; do
  case $name in --*) continue;; esac
  bot=\${name#*@}
  value() { sed -n "s/^$1=-*//p" "${ROOT}/deploy/systemd/\${name%@*}@.service" | sed "s|%i|$bot|g; s|/opt/kairos/|${ROOT}/|g; s#/\\(srv\\|etc\\)/kairos#$here&#g"; }
  if [ $stop ]; then
    pid=$(cat "$here/$name.pid"); kill -TERM $pid; while kill -0 $pid; do sleep 0.1; done 2>/dev/null
  else
    folder=$(value LoadCredential); secrets=$here/credentials/$name; mkdir -p "$secrets"
    for file in "\${folder#kairos:}"/*; do [ -e "$file" ] && cp "$file" "$secrets/kairos_$(basename "$file")"; done
    cd "$(value WorkingDirectory)"
    env -i HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME" $(value Environment) $(cat "$(value EnvironmentFile)" 2>/dev/null) CREDENTIALS_DIRECTORY="$secrets" $(value ExecStart) >"$here/$name.log" 2>&1 &
    echo $! >"$here/$name.pid"
  fi
done`,
};

let folder: DaemonFolder;
beforeEach(() => {
  folder = new DaemonFolder('walk');
  mkdirSync(path.join(folder.path, '.bin'));
  for (const [name, body] of Object.entries(PROGRAMS)) {
    writeFileSync(path.join(folder.path, '.bin', name), `#!/bin/sh\n${body}\n`);
    chmodSync(path.join(folder.path, '.bin', name), 0o755);
  }
});
afterEach(async () => {
  await endAll();
  folder.remove();
});

describe.skipIf(!canMount)("the operator's walk (needs Linux and the right to mount)", () => {
  test('each command does what the page says, from the install to another machine, through a kill, an outage and a full disk', async () => {
    const port = await freePort();
    const here = (text: string): string =>
      text
        .replaceAll('127.0.0.1:8090', `127.0.0.1:${port}`)
        .replaceAll('--port 8090', `--port ${port}`)
        .replaceAll('/opt/kairos', ROOT)
        .replace(/\/(srv|etc)\/kairos/g, `${folder.path}$&`);
    const env = {
      PATH: `${folder.path}/.bin:${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder.path,
      PM2_HOME: `${folder.path}/pm2`,
      PM2_DISABLE_VERSION_CHECK: 'true',
      KAIROS_API_KEY: BROKER_KEY,
    };
    const shell = new Started('unshare', [...APART, 'bash', '-c', SHELL], { cwd: folder.path, env, stdin: 'pipe' });
    let typed = 0;
    const run = async (line: string): Promise<{ code: number; printed: string }> => {
      typed += 1;
      shell.type(line);
      return shell.until(
        `end of ${line}`,
        ({ stdout }) => {
          const parts = stdout.split(END);
          return parts.length > 2 * typed ? { code: Number(parts[2 * typed - 1]), printed: parts[2 * typed - 2] ?? '' } : undefined;
        },
        MAX_MS,
      );
    };

    const [page] = allPages().filter((one) => one.folder === 'walk');
    for (const block of page?.blocks ?? []) {
      const wanted = block.marks.flatMap((mark) => (mark.kind === 'exit code' ? [mark.code] : []))[0] ?? 0;
      for (const mark of block.marks) if (mark.kind === 'file') folder.write(`my-bot/${mark.name}`, here(`${block.text}\n`));
      for (const { command, shown } of hasCommands(block) ? stepsOf(block.text) : []) {
        const line = here(
          kairosCalls(command.replace(/^sudo .*kairos\.mjs/, 'kairos')).some(asksFirst) ? command.replace(/(?= >|$)/, ' --yes') : command,
        );
        let { code, printed } = await run(line);
        const isThere = (): boolean =>
          unlike(shown, printed).length === 0 &&
          (code === wanted || !(line.startsWith('grep ') || /try again in a moment|\b(LAG|LANE_WAIT|CLOCK_UNSURE)\b/.test(printed)));
        const again = async (): Promise<true | undefined> => {
          ({ code, printed } = await run(line));
          return isThere() || undefined;
        };
        if (!isThere()) await lookFor(again, { withinMs: MAX_MS });
        expect({ command, code, unlike: unlike(shown, printed) }, `${block.at}: ${printed.slice(-3_000)}`).toEqual({
          command,
          code: wanted,
          unlike: [],
        });
      }
    }

    // The shell has the key as well, and pm2 must not keep it.
    expect(readFileSync(path.join(folder.path, 'pm2/dump.pm2'), 'utf8')).not.toContain(BROKER_KEY);
    const journal = path.join(folder.path, 'srv/kairos/my-bot/var/kairos.db');
    expect(verifyJournal(journal)).toMatchObject({ ok: true });
    const runs = rowsOf<{ mode: string; end_state: string }>(journal, 'SELECT mode, end_state FROM runs ORDER BY started_at');
    expect(runs.at(-1)).toEqual({ mode: 'live', end_state: 'stopped' });
  });
});
