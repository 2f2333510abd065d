import Big from 'big.js';

/** SOL in full, from lamports. */
export const solOf = (lamports: string): string => new Big(lamports).div(1e9).toFixed();
