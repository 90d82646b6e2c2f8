import { isoTime } from '#domain/names.ts';
import { START } from './rig.ts';

/** What a page's state says of the daemon itself, for an engine of a test; `modules`: the module of each strategy. */
export const stateFacts = (modules: ReadonlyMap<string, string> = new Map()) =>
  ({
    run: 'run-1',
    book: 'paper',
    mode: 'paper',
    version: 'test',
    startedAt: isoTime(START),
    phase: 'running',
    service: 'http://127.0.0.1:1',
    embedded: true,
    pid: 1,
    notReady: [],
    rateWarnings: [],
    backtest: null,
    currency: 'usd',
    modules,
    sources: [],
    refusedSignals: {},
  }) as const;
