import type { Service } from '#assembly/service.ts';
import { printNote } from './output.ts';
import { type ConfigOptions, configFrom } from './settings.ts';

/** Runs `use` with the configured service, or with a paper venue for the time of the command. */
export async function withService<T>(options: ConfigOptions, use: (service: Service) => Promise<T>): Promise<T> {
  const { settings } = configFrom(options);
  const { serviceAtHand } = await import('#daemon/operations/service-at-hand.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const service = await serviceAtHand(settings, systemTimers);
  if (service.embedded) {
    const which = service.ofDaemon ? 'the paper venue of the running daemon' : 'a paper venue started for this command';
    printNote(`kairos: no service.baseUrl: asking ${which}`);
  }
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}
