import type { LendingRules } from '@tidegate/core/protocol/klend';
import { topupReserveRewards } from '@tidegate/core/protocol/klend/instructions';
import { requireTopUp, topUpRewards } from '@tidegate/core/protocol/klend/operations';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readReserve,
  requireAddresses,
} from './lending-constraints.ts';
import { writeReserve } from './position-accounts.ts';
import { transferLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
} from './user-token-accounts.ts';

/** Rewards that a reserve pays to its lenders in its own token. */
export const reserveRewardsHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(topupReserveRewards, 30_000, ({ accounts, args }, call) => {
    handleTopup({ call, rules }, accounts, args.amount);
  }),
];

function handleTopup(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof topupReserveRewards.accounts>,
  amount: bigint,
): void {
  const { call } = lending;
  const { signer, reserve: address, reserveLiquidityMint: mint, sourceLiquidity } = accounts;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readReserve(call, address, { market: accounts.lendingMarket });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: before.liquidity.mintPubkey,
    reserveLiquiditySupply: before.liquidity.supplyVault,
  });
  requireMintProgram(call, mint, accounts.liquidityTokenProgram);
  const source = { slot: 'sourceLiquidity', address: sourceLiquidity };
  requireTokenAccount(call, { ...source, mint, owner: signer });
  requireTopUp(before, context, amount);
  requireSupportedExtensions(call, { mint, account: sourceLiquidity });
  writeReserve(call, address, topUpRewards(before, context, amount));
  transferLiquidity(call, {
    mint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: sourceLiquidity,
    destination: accounts.reserveLiquiditySupply,
    signer: { wallet: signer },
    amount,
  });
}
