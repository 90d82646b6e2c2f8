import { CmaSampler } from './cmaes.ts';
import { RandomSampler, type Sampler, type SamplerOptions } from './sampler.ts';
import { TpeSampler } from './tpe.ts';

/** Searches that propose settings round by round; a grid is known from the start. */
export const SAMPLERS = {
  random: (options: SamplerOptions): Sampler => new RandomSampler(options),
  tpe: (options: SamplerOptions): Sampler => new TpeSampler(options),
  cmaes: (options: SamplerOptions): Sampler => new CmaSampler(options),
} as const;
