import { bsfFromBits } from '../numbers/big-scaled-fraction.ts';
import { toLamports } from '../numbers/lamports.ts';
import { sfFromBits } from '../numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../time.ts';
import { branded, u64, u128, u256 } from './layout.ts';

export const sf = branded(u128, sfFromBits);

/** A fraction in 64 bits, so below 16. Used for fees. */
export const sf64 = branded(u64, sfFromBits);

export const bsf = branded(u256, bsfFromBits);

export const lamports = branded(u64, toLamports);

export const slot = branded(u64, toSlot);

export const unixSeconds = branded(u64, toUnixSeconds);
