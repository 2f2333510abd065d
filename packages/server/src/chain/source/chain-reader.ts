import type { Slot } from '@tidegate/core/base';
import type { EndpointUsage } from '../budget/endpoint-meter.ts';
import type { ChainSource } from './chain-source.ts';

/** A source without subscriptions. */
export type ChainReader = Omit<ChainSource, 'subscribe' | 'witnesses'> & {
  getSlot(): Promise<Slot>;
  /** What was used of the endpoint. */
  usage?(): EndpointUsage;
};
