import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { borrowAccounts } from './borrow-obligation-liquidity.ts';
import { farmsAccounts } from './farms-accounts.ts';

/**
 * `liquidityAmount` is what the owner receives, the fee adds to the debt; U64_MAX borrows all that
 * is allowed and takes the fee out of it. Remaining, in an elevation group: the reserve of every
 * deposit (write), in the order of their places.
 */
export const borrowObligationLiquidityV2 = instruction({
  name: 'borrowObligationLiquidityV2',
  discriminator: 'a1808ff5abc7c206',
  accounts: {
    ...borrowAccounts,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { liquidityAmount: lamports },
});
