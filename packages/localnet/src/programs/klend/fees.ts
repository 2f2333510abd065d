import { type Address, addSf, type Sf, ZERO_ADDRESS, ZERO_SF } from '@tidegate/core/base';
import {
  globalConfigAddress,
  klendRejection,
  type LendingRules,
  referrerTokenStateAddress,
} from '@tidegate/core/protocol/klend';
import {
  redeemFees,
  topupReserveRewards,
  withdrawProtocolFee,
  withdrawReferrerFees,
} from '@tidegate/core/protocol/klend/instructions';
import {
  globalConfig,
  type Obligation,
  type ReferrerTokenState,
  referrerTokenState,
} from '@tidegate/core/protocol/klend/layout';
import {
  isBorrow,
  type LendingContext,
  type ObligationPosition,
  payReferrerFees,
  type ReferrerFees,
  redeemProtocolFees,
  requireTopUp,
  reserveOf,
  topUpRewards,
} from '@tidegate/core/protocol/klend/operations';
import { associatedTokenAddress, INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readMarket,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requireNoDurableNonce,
} from './lending-constraints.ts';
import { hasReferrer, writeReserve } from './position-accounts.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
  transferLiquidity,
} from './token-accounts.ts';

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

type ReferrerStateKey = {
  readonly referrer: Address;
  readonly reserve: Address;
  readonly mint: Address;
};

/** The account that counts a referrer's fees of one reserve. */
export function readReferrerState(
  call: InvokeContext,
  address: Address,
  { referrer, reserve, mint }: ReferrerStateKey,
): ReferrerTokenState {
  const state = readAccount(call, referrerTokenState, address);
  if (state.mint === ZERO_ADDRESS || state.referrer === ZERO_ADDRESS) {
    throw klendRejection('ReferrerAccountNotInitialized', 'it names no referrer');
  }
  if (state.mint !== mint) {
    throw klendRejection('ReferrerAccountMintMissmatch', `it counts ${state.mint}`);
  }
  if (address !== referrerTokenStateAddress(state.referrer, reserve, call.program)) {
    throw klendRejection('ReferrerAccountWrongAddress', `it is not for the reserve ${reserve}`);
  }
  if (state.referrer !== referrer) {
    throw klendRejection('ReferrerAccountReferrerMissmatch', `it belongs to ${state.referrer}`);
  }
  return state;
}

/** The token state for a loan of an obligation with a referrer; undefined without one. */
export function requireReferrerState(
  call: InvokeContext,
  address: Address | undefined,
  { obligation, ...stateKey }: { obligation: Obligation; reserve: Address; mint: Address },
): Address | undefined {
  if (!hasReferrer(obligation)) return undefined;
  if (address === undefined) {
    throw klendRejection('ReferrerAccountMissing', 'its fees have nowhere to go');
  }
  readReferrerState(call, address, { ...stateKey, referrer: obligation.referrer });
  return address;
}

export function creditReferrer(call: InvokeContext, address: Address, fee: Sf): void {
  const state = readAccount(call, referrerTokenState, address);
  const fields = {
    ...state,
    amountUnclaimedSf: addSf(state.amountUnclaimedSf, fee),
    amountCumulativeSf: addSf(state.amountCumulativeSf, fee),
  };
  if (fee > 0n) writeAccount(call, referrerTokenState, { address, fields });
}

type RefreshedInterest = {
  /** Before the refresh. */
  readonly position: ObligationPosition;
  readonly context: LendingContext;
  readonly states: readonly Address[];
  readonly fees: ReferrerFees;
};

/**
 * Credits the referrer's share of accrued interest. The program takes the next state only for debts
 * whose reserve shares interest with referrers.
 */
export function creditReferralInterest(
  call: InvokeContext,
  { position, context, states, fees }: RefreshedInterest,
): void {
  const { obligation, reserves } = position;
  if (!hasReferrer(obligation) || context.market.referralFeeBps === 0) return;
  const remainingStates = [...states];
  for (const { borrowReserve } of obligation.borrows.filter(isBorrow)) {
    const { liquidity } = reserveOf(reserves, borrowReserve);
    if (liquidity.absoluteReferralRateSf === 0n) continue;
    const address = remainingStates.shift();
    if (address === undefined || !call.isWritable(address)) {
      throw klendRejection('InvalidAccountInput', 'a token state of the referrer is not writable');
    }
    const stateKey = {
      referrer: obligation.referrer,
      reserve: borrowReserve,
      mint: liquidity.mintPubkey,
    };
    readReferrerState(call, address, stateKey);
    creditReferrer(call, address, fees.get(borrowReserve) ?? ZERO_SF);
  }
}

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
