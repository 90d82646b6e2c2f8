import { type Command, InvalidArgumentError } from 'commander';
import { userName } from '#assembly/user-name.ts';
import type { Settings } from '#config/settings.ts';
import type { ActResult } from '#daemon/operations/acts.ts';
import type { OperatorCommand } from '#domain/event.ts';
import { stillText, withEnds } from '#domain/latch-ends.ts';
import { keptBackText } from '#domain/settle-text.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import type { BodyOf, EndpointName } from '#server/control/endpoints.ts';
import { printJson, printLine } from './output.ts';
import { addConfigOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';

export interface ActOptions extends ConfigOptions {
  readonly json?: boolean;
  readonly reason: string;
}

/** Adds the options that every act of a person takes. */
export function addActOptions(command: Command): Command {
  return addConfigOptions(command).option('--reason <text>', 'your reason', oneReason, 'no reason given').option('--json', 'print JSON');
}

/** Who acts, and why. */
export const actor = ({ reason }: Pick<ActOptions, 'reason'>): WhoWhy => ({ who: userName(), why: reason });

/** Asks the running daemon for an act, and returns the fields of its answer. Throws what the daemon throws, and OPS_UNAVAILABLE. */
export async function askDaemon<Name extends EndpointName>(name: Name, fields: BodyOf<Name> & object, options: ActOptions) {
  const { runningDaemon } = await import('#daemon/operations/daemon-access.ts');
  const { ask } = await import('#daemon/operations/ops-client.ts');
  const { settings } = await runningConfigFrom(options);
  return ask(name, { ...fields, ...actor(options) }, runningDaemon(settings));
}

/** Performs the act through the daemon or on the journal, and prints the result. */
export async function act(what: OperatorCommand, options: ActOptions): Promise<void> {
  const { settings } = await runningConfigFrom(options);
  const done = await perform(what, settings);
  printDone({ ...done, standing: withEnds(done.standing, settings.trading.arming.rearmAfterMs) }, options);
}

/** Performs the act through the daemon or on the journal. Throws as `performAct`. */
async function perform(what: OperatorCommand, settings: Settings): Promise<ActResult> {
  const { performAct } = await import('#daemon/operations/acts.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  return performAct(what, settings, systemTimers);
}

/** Prints what an act has come to. */
export function printDone(done: ActResult, options: Pick<ActOptions, 'json'>): void {
  if (options.json) printJson(done);
  else for (const line of linesOf(done)) printLine(line);
}

const COUNTED = 'losses and rejections are counted from here on, and cool-downs are over';

/** Said where another program keeps the row of an act out of the journal. */
export const ROW_FOLLOWS = 'not journaled yet: another program holds the journal, and an end of the daemon before it lets go forgets this';

/** What an act has come to, in lines. */
export function linesOf({
  act: what,
  strategy,
  ended,
  standing,
  pid,
  shutMs,
  journaledMs,
  journaled,
  haltOfAll,
  armedSince,
  unknowns,
}: ActResult): readonly string[] {
  const whom = strategy ?? 'all strategies';
  const of = (name: string | null): string => (name === null ? '' : ` of ${name}`);
  const left = standing.filter((one) => one.kind === 'paused' && one.strategy !== null && one.strategy !== strategy);
  const rest = standing.filter((one) => !left.includes(one));
  const still = rest.length === 0 ? [] : [stillText(rest)];
  switch (what) {
    case 'halt':
      return ['halted: no order goes out until `kairos resume`', ...halted({ pid, shutMs, journaledMs })];
    case 'pause': {
      const stops = standing.filter(({ kind }) => kind === 'halted' || kind === 'disarmed');
      const follows = journaled ? [] : [ROW_FOLLOWS];
      if (stops.length > 0) return [`paused: ${whom}`, stillText(stops), ...follows];
      return [
        `paused: ${whom}; positions are still closed, nothing is opened until \`kairos resume${strategy === null ? '' : ` ${strategy}`}\``,
        ...follows,
      ];
    }
    case 'enable':
      return [ended.length === 0 ? `${whom} is not disabled: nothing has changed` : `enabled: ${whom}`, ...still];
    case 'arm':
      if (armedSince !== null) return [`armed already since ${armedSince}: nothing has changed`, ...still];
      return [standing.length === 0 ? 'armed: this configuration trades' : `armed, but ${still}`, COUNTED];
    case 'resume':
      return [
        ...(ended.length === 0 ? ['nothing was halted or paused'] : []),
        ...ended.map(({ kind, strategy: name, who, why }) => `ended: ${kind}${of(name)}, set by ${who} (${why})`),
        ...(strategy === null ? [COUNTED] : []),
        ...(haltOfAll === null
          ? []
          : [`${haltOfAll} stays and halts the other daemons of its folder: remove it when none is meant any more`]),
        ...still,
        ...unknowns.map(({ order, product }) => keptBackText(order, product)),
        ...left.map(({ strategy: name }) => `${name} stays paused: \`kairos resume ${name}\``),
      ];
  }
}

function halted({ pid, shutMs, journaledMs }: Pick<ActResult, 'pid' | 'shutMs' | 'journaledMs'>): readonly string[] {
  if (shutMs === null) return ['no daemon runs; the next start is halted'];
  const journaled =
    journaledMs === null
      ? 'which has not journaled it yet: its file stands over restarts'
      : `which has journaled it after ${journaledMs} ms`;
  return [`the last gate was found shut after ${shutMs} ms in process ${pid ?? '?'}, ${journaled}`];
}

/** Reads an option that is one line of text. */
export function oneReason(text: string): string {
  if (!/^[^\p{Cc}]{1,200}$/u.test(text)) throw new InvalidArgumentError('It must be one line of 1 to 200 characters.');
  return text;
}
