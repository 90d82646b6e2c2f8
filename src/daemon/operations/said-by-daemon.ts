import { controlFiles } from '#adapters/journal/control-files.ts';
import { VERSION } from '#assembly/package.ts';
import type { WhyNotView } from '#domain/why-not.ts';
import type { StateView } from '#server/page/view.ts';
import { callDaemon } from './daemon-call.ts';
import { publishedIn } from './ops-files.ts';

const ANSWER_MS = 2000;

/** What a control server answers without a token. */
interface DaemonAnswers {
  readonly state: StateView;
  readonly 'why-not': WhyNotView;
}

/**
 * What the daemon that runs on a journal says of itself; undefined where none runs, it is of another version or does not answer in time:
 * then journal and recording are the source. After a crash another process may listen where a daemon did: nothing is believed of it.
 */
export async function saidByDaemon<Name extends keyof DaemonAnswers>(
  name: Name,
  journal: string,
): Promise<DaemonAnswers[Name] | undefined> {
  const published = publishedIn(controlFiles(journal).ops);
  if (!published) return undefined;
  try {
    const { ok, said } = await callDaemon(`${published.url}/api/${name}`, { withinMs: ANSWER_MS });
    return ok && isBy<DaemonAnswers[Name]>(published.pid, said) ? said : undefined;
  } catch {
    // It has just ended and left its address behind, or is busy.
    return undefined;
  }
}

/** True for an answer of that process in this version, which has the fields of this version. */
function isBy<View>(pid: number, said: unknown): said is View {
  if (typeof said !== 'object' || said === null || !('pid' in said) || !('version' in said)) return false;
  return said.pid === pid && said.version === VERSION;
}
