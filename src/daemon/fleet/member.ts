import { JournalReader } from '#adapters/journal/reader.ts';
import { statusReport } from '#adapters/journal/status-report.ts';
import { haltMeant } from '#daemon/operations/halts.ts';
import { daemonsMeant, runningDaemons } from '#daemon/operations/running-daemons.ts';
import { ALARM_KINDS } from '#domain/alarm-kinds.ts';
import { messageOf } from '#domain/errors.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import type { Timers } from '#ports/timers.ts';
import { refusalIn, roleIn, rowsIn, saidIn } from '#server/fleet/said.ts';
import type { DaemonReport, DaemonView, FleetHaltResult } from '#server/fleet/view.ts';
import { askAt, type MemberAnswer } from './asking.ts';
import { listening, type MemberPlace, placeNow, placeText, settingsFrom } from './place.ts';

/** Asked again at most so often, however many look. */
const LOOK_MS = 1_500;
/** An answer that takes longer is slow. */
const SLOW_MS = 1_000;
const ALARM_LOOK_MS = 5_000;
/** Decisions among which the newest alarm is looked for. */
const ALARM_ROWS = 20_000;

type FilesPlace = Exclude<MemberPlace['place'], { kind: 'address' }>;
type HaltOutcome = Omit<FleetHaltResult['halted'][number], 'name'>;
type MemberTimers = Pick<Timers, 'wallMs' | 'monotonicMs' | 'after'>;

/** A daemon as a fleet sees it. Each is asked by itself, so that one that is dead or slow holds up nobody. */
export class Member {
  readonly name: string;
  private readonly place: MemberPlace['place'];
  /** The place as the last look found it. */
  private seen: MemberPlace['place'];
  private readonly timers: MemberTimers;
  private asking: Promise<void> | undefined;
  private askedMs = Number.NEGATIVE_INFINITY;
  private said: DaemonReport | null = null;
  private why: string | null = null;
  private heardAt: Millis | null = null;
  private silentSince: Millis | null = null;
  private tookMs: number | null = null;
  private access: DaemonView['access'];
  private alarm: DaemonView['newestAlarm'] = null;
  /** When an alarm was looked for last, and up to which row. */
  private lookedMs = Number.NEGATIVE_INFINITY;
  private lookedTo = 0;

  constructor({ name, place }: MemberPlace, timers: MemberTimers) {
    this.name = name;
    this.place = place;
    this.seen = place;
    this.timers = timers;
    this.access = place.kind !== 'address' ? 'files' : place.token === null ? 'no token' : 'unknown';
  }

  /** Asks it, unless it is being asked or was just now. Never throws. */
  poll(): Promise<void> {
    const now = this.timers.monotonicMs();
    if (this.asking === undefined && now - this.askedMs >= LOOK_MS) {
      this.askedMs = now;
      this.asking = this.ask().finally(() => {
        this.asking = undefined;
      });
    }
    return this.asking ?? Promise.resolve();
  }

  view(): DaemonView {
    const { name, seen, said, why, tookMs, access } = this;
    return {
      name,
      place: placeText(seen),
      url: listening(seen)?.url ?? null,
      reach: this.reach(),
      why,
      heardAt: this.heardAt === null ? null : isoTime(this.heardAt),
      silentSince: this.silentSince === null ? null : isoTime(this.silentSince),
      tookMs,
      access,
      said,
      newestAlarm: this.alarm,
    };
  }

  /** Halts it. */
  async halt(by: WhoWhy): Promise<HaltOutcome> {
    const { place, timers } = this;
    if (place.kind === 'address') return { failed: await this.askHalt(place, by), journals: [] };
    try {
      const { failed, missed, reached, own } = await haltMeant(by, settingsFrom(meantAt(place)), { timers });
      const journals = reached.map(({ journal }) => journal);
      return { failed: (failed ?? missed)?.message ?? null, journals: journals.every((one) => one === own) ? [] : journals };
    } catch (error) {
      return { failed: messageOf(error), journals: [] };
    }
  }

  /** Asks it to halt. Returns why that failed; null where it is halted. */
  private async askHalt(place: Extract<MemberPlace['place'], { kind: 'address' }>, by: WhoWhy): Promise<string | null> {
    if (place.token === null) return `no token is known for ${place.url}: name one in a list, by --token-file or KAIROS_OPS_TOKEN`;
    const answer = await askAt(place.url, 'halt', { token: place.token, body: by });
    if ('failed' in answer) return `${answer.failed}; on its machine \`kairos halt\` needs no answer`;
    if (answer.status === 200) return null;
    if (answer.status === 401) this.access = 'wrong token';
    const why = refusalIn(answer.body);
    return answer.status === 401 ? 'the daemon refuses the token' : `the daemon refused (${answer.status})${why && `: ${why}`}`;
  }

  private reach(): DaemonView['reach'] {
    if (this.silentSince !== null) return 'silent';
    const waitingMs = this.asking === undefined ? 0 : this.timers.monotonicMs() - this.askedMs;
    if (this.said === null) return waitingMs > SLOW_MS ? 'slow' : 'asking';
    return Math.max(waitingMs, this.tookMs ?? 0) > SLOW_MS ? 'slow' : 'answers';
  }

  private async ask(): Promise<void> {
    this.seen = placeNow(this.place);
    const at = listening(this.seen);
    if (!at) return this.silent('no daemon runs on this journal');
    const start = this.timers.monotonicMs();
    const answer = await askAt(at.url, 'state');
    if ('failed' in answer) return this.silent(answer.failed);
    const said = answer.status === 200 ? saidIn(answer.body) : undefined;
    if (!said) return this.silent(whyUnread(answer));
    // A port that another program has taken since is not this daemon.
    if (at.pid !== null && said.pid !== at.pid) return this.silent(`another daemon listens at ${at.url}`);
    const isAnother = said.run !== this.said?.run;
    this.said = said;
    this.tookMs = Math.round(this.timers.monotonicMs() - start);
    this.heardAt = this.timers.wallMs();
    this.silentSince = null;
    this.why = null;
    await Promise.all([this.checkToken(isAnother), this.findAlarm(at.url)]);
  }

  private silent(why: string): void {
    this.silentSince ??= this.heardAt ?? this.timers.wallMs();
    this.why = [why, ...leftAt(this.seen)].join('; ');
  }

  /** Wrong tokens are counted by the daemon: each run is asked once. */
  private async checkToken(isAnotherRun: boolean): Promise<void> {
    const { place } = this;
    if (place.kind !== 'address' || place.token === null || !(isAnotherRun || this.access === 'unknown')) return;
    const answer = await askAt(place.url, 'token', { token: place.token, body: {} });
    if ('failed' in answer) this.access = 'unknown';
    else if (answer.status === 200) this.access = roleIn(answer.body) === 'read' ? 'read token' : 'token';
    else this.access = answer.status === 401 ? 'wrong token' : 'unknown';
  }

  /** The rows that came since the last look; at first the newest ones. */
  private async findAlarm(url: string): Promise<void> {
    const now = this.timers.monotonicMs();
    if (now - this.lookedMs < ALARM_LOOK_MS) return;
    this.lookedMs = now;
    const end = newest(await askAt(url, 'history/decisions?limit=1'))?.seq;
    if (end === undefined) return;
    // Another journal than before begins anew.
    const after = Math.max(this.lookedTo <= end ? this.lookedTo : 0, end - ALARM_ROWS);
    const found = newest(await askAt(url, `history/decisions?limit=1&after=${after}&before=${end + 1}&kind=${ALARM_KINDS.join(',')}`));
    if (found) this.alarm = { at: found.at, kind: found.kind, words: found.words };
    this.lookedTo = end;
  }
}

/**
 * Of several daemons that were started in a folder, that of its settings is the one that is meant and shown. Of one alone the settings, which
 * may take long to read or may have been edited, are not asked.
 */
function meantAt(place: FilesPlace): FilesPlace {
  const started = place.kind === 'folder' ? daemonsMeant(settingsFrom(place), runningDaemons()) : [];
  if (started.length < 2) return place;
  const now = placeNow(place);
  return now.kind === 'journal' && started.some(({ journal }) => journal === now.path) ? now : place;
}

/** The positions that nobody manages while it is silent, by its journal. */
function leftAt(place: MemberPlace['place']): readonly string[] {
  if (place.kind !== 'journal') return [];
  try {
    const journal = JournalReader.open(place.path);
    try {
      return statusReport(journal).positions.map(({ book, product, size }) => `${book} holds ${size} of ${product}`);
    } finally {
      journal.close();
    }
  } catch {
    // There is none yet, or it cannot be read: what is known is that the daemon is silent.
    return [];
  }
}

const newest = (answer: MemberAnswer) => ('failed' in answer ? undefined : rowsIn(answer.body)[0]);

function whyUnread(answer: Extract<MemberAnswer, { status: number }>): string {
  if (answer.status === 403) return 'it refuses to answer under this address: the port of a tunnel must be the one that it listens on';
  return answer.status === 200 ? 'what it says cannot be read: it is of another version' : `it answered with status ${answer.status}`;
}
