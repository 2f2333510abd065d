import {
  globalConfigAddress,
  type LendingRules,
  referrerTokenStateAddress,
} from '@tidegate/core/protocol/klend';
import {
  redeemFees,
  withdrawProtocolFee,
  withdrawReferrerFees,
} from '@tidegate/core/protocol/klend/instructions';
import { globalConfig, referrerTokenState } from '@tidegate/core/protocol/klend/layout';
import { payReferrerFees, redeemProtocolFees } from '@tidegate/core/protocol/klend/operations';
import { associatedTokenAddress, INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { requireNoDurableNonce } from './durable-nonces.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readMarket,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
} from './lending-constraints.ts';
import { writeReserve } from './position-accounts.ts';
import { transferLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
} from './user-token-accounts.ts';

/** Fees of the protocol and of referrers leave a reserve. */
export const reserveFeeHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(redeemFees, 25_000, ({ accounts }, call) => {
    runRedeemFees({ call, rules }, accounts);
  }),
  anchorHandler(withdrawProtocolFee, 20_000, ({ accounts, args }, call) => {
    runProtocolFee({ call, rules }, accounts, args.amount);
  }),
  anchorHandler(withdrawReferrerFees, 25_000, ({ accounts }, call) => {
    runReferrerFees({ call, rules }, accounts);
  }),
];

function runRedeemFees(
  { call, rules }: LendingCall,
  accounts: InstructionAccounts<typeof redeemFees.accounts>,
): void {
  const { reserve: address, lendingMarket, reserveLiquidityMint: mint, tokenProgram } = accounts;
  const market = readMarket(call, lendingMarket);
  const before = readReserve(call, address, { market: lendingMarket });
  requireMarketAuthority(call, lendingMarket, accounts.lendingMarketAuthority);
  requireAddresses(call, accounts, {
    reserveLiquidityMint: before.liquidity.mintPubkey,
    reserveLiquidityFeeReceiver: before.liquidity.feeVault,
    reserveSupplyLiquidity: before.liquidity.supplyVault,
  });
  requireMintProgram(call, mint, tokenProgram);
  const { reserve, liquidity } = redeemProtocolFees(before, { market, time: call.time, rules });
  writeReserve(call, address, reserve);
  call.log(`Redeeming fees: ${liquidity}`);
  transferLiquidity(call, {
    mint,
    tokenProgram,
    source: accounts.reserveSupplyLiquidity,
    destination: accounts.reserveLiquidityFeeReceiver,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: liquidity,
  });
}

function runProtocolFee(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof withdrawProtocolFee.accounts>,
  amount: bigint,
): void {
  const { call } = lending;
  const { lendingMarket, reserveLiquidityMint: mint, tokenProgram, feeVault } = accounts;
  if (accounts.globalConfig !== globalConfigAddress(call.program)) {
    throw anchorFailure(call, 'ConstraintSeeds', 'globalConfig');
  }
  const { feeCollector } = readAccount(call, globalConfig, accounts.globalConfig);
  const { liquidity } = readReserve(call, accounts.reserve, { market: lendingMarket });
  requireMarketAuthority(call, lendingMarket, accounts.lendingMarketAuthority);
  requireAddresses(call, accounts, {
    reserveLiquidityMint: liquidity.mintPubkey,
    feeVault: liquidity.feeVault,
    feeCollectorAta: associatedTokenAddress(feeCollector, mint, tokenProgram),
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, tokenProgram);
  requireNoDurableNonce(lending, readMarket(call, lendingMarket));
  const balance = tokenAccount.view(call.account(feeVault)).amount;
  const paid = amount < balance ? amount : balance;
  call.log(`Withdrawing fees: ${paid}`);
  transferLiquidity(call, {
    mint,
    tokenProgram,
    source: feeVault,
    destination: accounts.feeCollectorAta,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: paid,
  });
}

function runReferrerFees(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof withdrawReferrerFees.accounts>,
): void {
  const { call } = lending;
  const { referrer, lendingMarket, reserve: address, reserveLiquidityMint: mint } = accounts;
  const { referrerTokenState: stateAddress, referrerTokenAccount, tokenProgram } = accounts;
  const context = loadMarketContext(lending, lendingMarket);
  if (stateAddress !== referrerTokenStateAddress(referrer, address, call.program)) {
    throw anchorFailure(call, 'ConstraintSeeds', 'referrerTokenState');
  }
  const before = readReserve(call, address, { market: lendingMarket });
  requireMarketAuthority(call, lendingMarket, accounts.lendingMarketAuthority);
  requireAddresses(call, accounts, {
    reserveLiquidityMint: before.liquidity.mintPubkey,
    reserveSupplyLiquidity: before.liquidity.supplyVault,
  });
  requireMintProgram(call, mint, tokenProgram);
  const slot = { slot: 'referrerTokenAccount', address: referrerTokenAccount };
  requireTokenAccount(call, { ...slot, mint, owner: referrer });
  requireSupportedExtensions(call, { mint, account: referrerTokenAccount });
  const state = readAccount(call, referrerTokenState, stateAddress);
  const { reserve, referrer: fields, liquidity } = payReferrerFees(before, state, context);
  writeReserve(call, address, reserve);
  writeAccount(call, referrerTokenState, { address: stateAddress, fields });
  call.log(`Withdrawing referrer fees: ${liquidity}`);
  transferLiquidity(call, {
    mint,
    tokenProgram,
    source: accounts.reserveSupplyLiquidity,
    destination: referrerTokenAccount,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: liquidity,
  });
}
