import { isRehearsed, lastArmed } from '#adapters/journal/acts.ts';
import { differences, limitsIn } from '#config/arming.ts';
import { ARMED_ELSEWHERE } from '#domain/armed-elsewhere.ts';
import { type Mode, modeFacts } from '#domain/mode.ts';
import type { ArmView } from '#server/page/history-view.ts';

/** A configuration with its code as a daemon runs them; `config` is JSON. */
export interface RunningConfig {
  readonly mode: Mode;
  readonly configHash: string;
  readonly build: string;
  readonly config: string;
  /** The place of the journal, as arming names it. */
  readonly instance: string;
  readonly scope: ArmView['scope'];
}

/** What `kairos arm` shows before it asks: what trades where, the limits, and the differences from the configuration that was armed last. */
export function armView(journal: string, { mode, configHash, build, config, instance, scope }: RunningConfig): ArmView {
  const before = lastArmed(journal);
  return {
    configHash,
    build,
    unrehearsed: modeFacts(mode).isRealMoney && !isRehearsed(journal),
    elsewhere: before === null || before.instance === instance ? null : ARMED_ELSEWHERE,
    scope,
    limits: limitsIn(config).map(([key, value]) => ({ key, value })),
    before: before === null ? null : { who: before.who, at: before.at },
    differences: before === null ? [] : differences(before.config, config),
  };
}
