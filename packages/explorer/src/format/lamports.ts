import { fromBaseUnits } from '@tidegate/client';

const SOL_DECIMALS = 9;

/** SOL in full, from lamports. */
export const solOf = (lamports: string): string => fromBaseUnits(BigInt(lamports), SOL_DECIMALS);
