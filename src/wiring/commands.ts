import { never } from '../domain/errors.ts';
import type { Command } from '../domain/event.ts';
import { type StrategyId, strategyId } from '../domain/names.ts';
import type { DecisionLog } from '../trading/decision-log.ts';
import type { Guard } from '../trading/guard.ts';
import type { TradingState } from '../trading/trading-state.ts';
import type { Notice } from './notice.ts';

export interface CommandsOptions {
  readonly log: DecisionLog;
  readonly state: TradingState;
  readonly guard: Guard;
  readonly notice: Notice;
  readonly enable: (strategy: StrategyId) => void;
  readonly stop: () => void;
}

/** Does what a person asked of the running engine, journaled with who and why. */
export class Commands {
  private readonly options: CommandsOptions;

  constructor(options: CommandsOptions) {
    this.options = options;
  }

  perform(command: Command): void {
    const { log, state, guard, notice, enable, stop } = this.options;
    const { who, why } = command;
    switch (command.act) {
      case 'pause':
        return state.pause(strategyOf(command), { reason: 'BY_PERSON', who, why });
      case 'resume':
        notice('warn', `${command.strategy ?? 'trading'} resumed by ${who}: ${why}`);
        state.resume(strategyOf(command), who, why);
        if (command.strategy === null) guard.forgive();
        return;
      case 'arm':
        notice('warn', `armed by ${who}: ${why}`);
        state.armed({ who, why, configHash: command.configHash, config: command.config });
        return guard.forgive();
      case 'enable':
        if (command.strategy === null) return;
        enable(strategyId(command.strategy));
        return log.commit(log.make('enabled', { who, why }, { strategy: strategyId(command.strategy), reason: 'BY_PERSON' }));
      case 'halt':
        notice('error', `halted by ${who}: ${why}; no order goes out until a person resumes`);
        return state.halt('BY_PERSON', who, why);
      case 'stop':
        stop();
        guard.stop();
        return log.commit(log.make('stopped', { who, why }));
      default:
        return never(command);
    }
  }
}

const strategyOf = ({ strategy }: { readonly strategy: string | null }): StrategyId | null =>
  strategy === null ? null : strategyId(strategy);
