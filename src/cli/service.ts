import type { Service } from '#apps/assembly/service.ts';
import { printNote } from './output.ts';
import { type ConfigOptions, configFrom } from './settings.ts';

/** Runs `use` with the configured service, or with a paper venue for the time of the command. */
export async function withService<T>(options: ConfigOptions, use: (service: Service) => Promise<T>): Promise<T> {
  const { settings } = configFrom(options);
  const { openService } = await import('#apps/assembly/service.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  if (settings.service.baseUrl === null) printNote('kairos: no service.baseUrl: asking a paper venue started for this command');
  const service = await openService({ ...settings, venue: { ...settings.venue, port: 0, database: ':memory:' } }, systemTimers);
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}
