import type { NewFile } from './new-files.ts';
import { strategyFiles } from './strategy-texts.ts';

/** What a project depends on. */
export interface ProjectParts {
  readonly name: string;
  /** The dependency in the project's `package.json`, as in `file:../kairos`. */
  readonly kairos: string;
  /** Kairos's versions of the packages that a project's tests need. */
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Kairos's own Node, by platform. */
  readonly optionalDependencies: Readonly<Record<string, string>>;
  /** JSON Schema of the settings. */
  readonly schema: unknown;
}

/** The first strategy of a new project. */
const EXAMPLE = 'dip';

/** All files of a new project. */
export function projectFiles(parts: ProjectParts): readonly NewFile[] {
  const json = (path: string, value: unknown): NewFile => ({ path, text: `${JSON.stringify(value, null, 2)}\n` });
  return [
    json('package.json', packageOf(parts)),
    { path: 'kairos.yaml', text: CONFIG },
    json('kairos.schema.json', parts.schema),
    ...strategyFiles(EXAMPLE),
    json('tsconfig.json', TSCONFIG),
    { path: 'vitest.config.ts', text: VITEST },
    { path: 'ecosystem.config.mjs', text: pm2Of(parts.name) },
    { path: '.npmrc', text: NPMRC },
    { path: '.gitignore', text: GITIGNORE },
    { path: 'README.md', text: readmeOf(parts.name) },
  ];
}

/** A project's `package.json`. */
export const packageOf = ({ name, kairos, devDependencies, optionalDependencies }: ProjectParts) => ({
  name,
  version: '0.0.1',
  private: true,
  type: 'module',
  scripts: { start: 'kairos run', test: 'vitest run', typecheck: 'tsc' },
  dependencies: { kairos },
  devDependencies,
  optionalDependencies,
});

/** Where an install puts Kairos's rxjs: below it for a folder, beside it for a package. */
const rxjs = (file: string): readonly string[] =>
  ['./node_modules/kairos/node_modules', './node_modules'].map((folder) => `${folder}/rxjs/dist/types/${file}`);

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    // A strategy gets Kairos's own copy of rxjs, as in the daemon.
    paths: { rxjs: rxjs('index.d.ts'), 'rxjs/operators': rxjs('operators/index.d.ts') },
  },
  include: ['strategies', '*.ts'],
};

const VITEST = `import { kairos } from 'kairos/testing/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig({ plugins: [kairos()] });
`;

const pm2Of = (
  name: string,
): string => `// For pm2: \`pm2 start ecosystem.config.mjs\` runs the daemon and its watcher; docs/deploying.md of Kairos tells more.
import { appsFor } from 'kairos/pm2';

export const apps = appsFor({ name: '${name}', cwd: import.meta.dirname });
`;

const NPMRC = `; Kairos and its tests run on the Node that comes with them, whatever Node npm runs on
loglevel=error
; no dependency needs an install script; npm 10 would compile better-sqlite3, which comes compiled
ignore-scripts=true
`;

/** The `.gitignore` of a project. */
export const GITIGNORE = `node_modules/
# What the daemon writes: journal, recordings, the token of its control server.
var/
# Secrets are files that only you can read, as secrets/KAIROS_API_KEY, never in kairos.yaml.
secrets/
secret
*.secret
.env
`;

const CONFIG = `# yaml-language-server: $schema=./kairos.schema.json
#
# What \`npm start\` runs: a paper venue inside the daemon, with made-up prices and no real money.
# \`npx kairos config print --origins\` shows every setting there is, and where it comes from.

strategies:
  - id: dip-btc              # a name of your choice: the strategy's book, in every table
    use: ${EXAMPLE}                 # strategies/${EXAMPLE}.ts
    product: btcusd          # what it trades; \`npx kairos products\` lists what there is
    amount: { base: 0.01 }   # each order is 0.01 BTC
    params: { quotes: 60, percent: 0.04 }   # the average of half a minute; it buys 0.04 % below

# What no order may break, whatever a strategy wants; \`npx kairos config print\` shows all limits.
risk:
  maxOrderValue: { usd: 2000, eur: 2000, sek: 20000 }
  maxSpreadPct: 0.5
`;

const readmeOf = (name: string): string => `# ${name}

Trades with [Kairos](node_modules/kairos/README.md), on paper unless set otherwise.

| | |
|---|---|
| \`npm install\` | once, and after each upgrade of Kairos |
| \`npm test\` | the tests of the strategies |
| \`npm start\` | the daemon, until Ctrl-C; \`npx kairos run --watch\` takes up strategies as you change them; the address behind \`page\` shows all of it |
| \`npx kairos status\` | what is going on; \`npx kairos journal tail -f\` shows each decision and why |
| \`npx kairos backtest\` | the strategies on what was recorded |
| \`npx kairos new strategy NAME\` | another strategy with its tests |
| \`npm run typecheck\` | what the compiler says |

\`kairos.yaml\` holds the settings; an editor that knows YAML completes and checks them by \`kairos.schema.json\`, which
\`npx kairos config schema > kairos.schema.json\` renews. What the daemon writes is in \`var/\`.
`;
