import type { Slot } from '@tidegate/core/base';
import type { ChainSource } from './chain-source.ts';

/** A source without subscriptions. */
export type ChainReader = Omit<ChainSource, 'subscribe'> & { getSlot(): Promise<Slot> };
