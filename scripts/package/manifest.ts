import { readFileSync } from 'node:fs';
import path from 'node:path';

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Versions;
  readonly bin: Versions;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Versions;
  readonly optionalDependencies: Versions;
  readonly devDependencies: Versions;
}

const MODULE = /^\.\/src\/(.+)\.ts$/;

/** What a project of `init` takes the versions of: packages that run and check its tests. */
const TOOLS = ['@types/node', 'typescript', 'vitest'];

/** The `package.json` of a package whose modules are in `lib/`, from that of the checkout. */
export class PackageFacts {
  private readonly own: Manifest;

  constructor(root: string) {
    this.own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  }

  get tarball(): string {
    return `${this.own.name}-${this.own.version}.tgz`;
  }

  /** The modules that users import, by their files in `src/`. */
  get exported(): readonly string[] {
    return Object.values(this.own.exports).flatMap((file) => MODULE.exec(file)?.[1]?.concat('.ts') ?? []);
  }

  manifest(files: readonly string[]): object {
    const { name, version, description, license, engines, bin, exports, dependencies, optionalDependencies, devDependencies } = this.own;
    const mapped = Object.entries(exports).map(([subpath, file]) => {
      const module = MODULE.exec(file)?.[1];
      return [subpath, module === undefined ? file : { types: `./lib/${module}.d.ts`, default: `./lib/${module}.js` }];
    });
    return {
      ...{ name, version, description, license, private: true, type: 'module', engines, bin, files },
      imports: { '#*.ts': './lib/*.js' },
      exports: Object.fromEntries(mapped),
      dependencies,
      optionalDependencies,
      devDependencies: Object.fromEntries(Object.entries(devDependencies).filter(([tool]) => TOOLS.includes(tool))),
    };
  }
}
