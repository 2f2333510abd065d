import type { Brand } from './brand.ts';

export type Slot = Brand<bigint, 'Slot'>;

/** Seconds since 1970, as in the clock sysvar. */
export type UnixSeconds = Brand<bigint, 'UnixSeconds'>;

/** The slot and the time of the clock sysvar. */
export type ChainTime = { readonly slot: Slot; readonly unix: UnixSeconds };

export const toSlot = (slot: bigint): Slot => slot as Slot;

export const toUnixSeconds = (seconds: bigint): UnixSeconds => seconds as UnixSeconds;
