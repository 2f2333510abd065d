import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';
import { borrowAccounts } from './borrow-obligation-liquidity.ts';
import { farmsAccounts } from './farms-accounts.ts';

/**
 * The owner receives `liquidityAmount`, and the fee adds to the debt. U64_MAX borrows the maximum and deducts the
 * fee from it. Remaining accounts in an elevation group: the reserve of every deposit (writable), in order.
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
