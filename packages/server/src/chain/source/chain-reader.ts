import type { Slot } from '@tidegate/core/base';
import type { ChainSource } from './chain-source.ts';

/** The half of a source that answers requests. */
export type ChainReader = Omit<ChainSource, 'subscribe'> & { slot(): Promise<Slot> };
