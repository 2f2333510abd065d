import type { Slot } from '../base/time.ts';
import type { ChainSource } from './source.ts';

/** The half of a source that answers requests. */
export type ChainReader = Omit<ChainSource, 'follow'> & { slot(): Promise<Slot> };
