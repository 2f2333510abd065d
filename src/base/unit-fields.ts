import { bsfFromBits } from './big-fixed.ts';
import { sfFromBits } from './fixed.ts';
import { toLamports } from './lamports.ts';
import { branded, u64, u128, u256 } from './layout.ts';
import { toSlot, toUnixSeconds } from './time.ts';

export const sf = branded(u128, sfFromBits);

/** A fraction that can only be below sixteen: fees. */
export const sf64 = branded(u64, sfFromBits);

export const bsf = branded(u256, bsfFromBits);

export const lamports = branded(u64, toLamports);

export const slot = branded(u64, toSlot);

export const unixSeconds = branded(u64, toUnixSeconds);
