import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { journalFiles, leasedBy } from '#adapters/journal/files.ts';
import { Lease } from '#adapters/journal/lease.ts';

/** A process of this user that holds a journal. */
export interface RunningDaemon {
  readonly pid: number;
  readonly journal: string;
  /** The folder in which it was started. */
  readonly cwd: string;
  /** The words of its command line. */
  readonly words: readonly string[];
}

/** How a command was called, as `LoadOptions`. */
interface Call {
  readonly files?: readonly string[] | null;
  readonly set?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

const PROCESSES = '/proc';

/**
 * The daemons of this user on this machine, by the leases that their processes hold: the kernel's own list, in which nothing is left of a
 * killed one. Empty where the system has no such list.
 */
export function runningDaemons(): readonly RunningDaemon[] {
  return namesIn(PROCESSES).flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) && pid !== process.pid ? daemonsOf(pid) : [];
  });
}

/** Those of `daemons` that are meant by a command, as far as its folder, its options and its environment tell: the settings are not read. */
export function daemonsMeant({ files, set = [], env, cwd }: Call, daemons: readonly RunningDaemon[]): readonly RunningDaemon[] {
  const named = set.flatMap(journalSet).at(-1) ?? env.KAIROS_JOURNAL_PATH;
  if (named !== undefined) return daemons.filter(({ journal }) => journal === journalFiles(path.resolve(cwd, named)).database);
  const read = filesRead(files ?? [], cwd);
  const folder = realpathSync(cwd);
  return daemons.filter((one) => {
    const { files: own, set: its } = optionsIn(one.words);
    return one.cwd === folder && filesRead(own, cwd) === read && its.flatMap(journalSet).length === 0;
  });
}

function daemonsOf(pid: number): readonly RunningDaemon[] {
  const place = `${PROCESSES}/${pid}`;
  try {
    if (statSync(place).uid !== process.getuid?.()) return [];
    const opened = new Set(namesIn(`${place}/fd`).flatMap((fd) => leasedBy(linkOf(`${place}/fd/${fd}`)) ?? []));
    const held = [...opened].filter((journal) => Lease.holder(journalFiles(journal))?.pid === pid);
    if (held.length === 0) return [];
    const cwd = readlinkSync(`${place}/cwd`);
    const words = readFileSync(`${place}/cmdline`, 'utf8').split('\0');
    return held.map((journal) => ({ pid, journal, cwd, words }));
  } catch {
    // It has ended meanwhile, or does not let itself be looked at.
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No such list, or a process that has ended.
    return [];
  }
}

/** Where a descriptor leads; empty where it was closed since it was listed, as a working daemon's are all the time. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    return '';
  }
}

/** The options of a command line that say which settings are read. */
function optionsIn(words: readonly string[]): { readonly files: readonly string[]; readonly set: readonly string[] } {
  const given = (option: string): readonly string[] =>
    words.flatMap((word, at) => {
      if (word === option) return words[at + 1] ?? [];
      return word.startsWith(`${option}=`) ? word.slice(option.length + 1) : [];
    });
  return { files: given('--config'), set: given('--set') };
}

const journalSet = (set: string): string[] => (set.startsWith('journal.path=') ? [set.slice('journal.path='.length)] : []);

/** The files of settings as one text, to be compared. */
const filesRead = (named: readonly string[], cwd: string): string =>
  (named.length === 0 ? ['kairos.yaml'] : named).map((file) => path.resolve(cwd, file)).join('\n');
