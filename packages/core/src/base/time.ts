import type { Brand } from './brand.ts';

export type Slot = Brand<bigint, 'Slot'>;

/** Whole seconds since 1970, as the chain's clock counts. */
export type UnixSeconds = Brand<bigint, 'UnixSeconds'>;

/** When something is true on the chain: the two clocks the programs read. */
export type ChainTime = { readonly slot: Slot; readonly unix: UnixSeconds };

export const toSlot = (slot: bigint): Slot => slot as Slot;

export const toUnixSeconds = (seconds: bigint): UnixSeconds => seconds as UnixSeconds;
