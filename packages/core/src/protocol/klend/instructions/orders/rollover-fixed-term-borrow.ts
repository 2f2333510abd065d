import {
  instruction,
  optionalWrite,
  read,
  sign,
  write,
} from '../../../../base/solana/instruction.ts';

/**
 * Moves a debt into a reserve with other terms, or starts its term again in the same reserve, if its owner allows it. Anyone
 * can call it.
 */
export const rolloverFixedTermBorrow = instruction({
  name: 'rolloverFixedTermBorrow',
  discriminator: '551e9be1e0ba8d94',
  accounts: {
    payer: sign,
    obligation: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    sourceBorrowReserve: write,
    targetBorrowReserve: write,
    liquidityMint: read,
    sourceBorrowReserveLiquidity: write,
    targetBorrowReserveLiquidity: write,
    tokenProgram: read,
    sourceObligationFarmUserState: optionalWrite,
    sourceReserveFarmState: optionalWrite,
    targetObligationFarmUserState: optionalWrite,
    targetReserveFarmState: optionalWrite,
    farmsProgram: read,
  },
  args: {},
});
