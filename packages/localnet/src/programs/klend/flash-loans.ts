import { type Address, sfFromInt } from '@tidegate/core/base';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import {
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
} from '@tidegate/core/protocol/klend/instructions';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import {
  flashBorrow,
  flashRepay,
  type LendingContext,
  requireFlashLoans,
  requireNoReserveEmergency,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { requireFlashBorrow, requireFlashRepay } from './flash-loan-checks.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requireNotReserveVault,
} from './lending-constraints.ts';
import { writeReserve } from './position-accounts.ts';
import { creditReferrer, readReferrerState } from './referrers.ts';
import { transferLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
} from './user-token-accounts.ts';

type RepayAccounts = InstructionAccounts<typeof flashRepayReserveLiquidity.accounts>;

/** Loans that are repaid within the transaction. */
export const flashLoanHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(flashBorrowReserveLiquidity, 43_000, ({ accounts, args }, call) => {
    handleBorrow({ call, rules }, accounts, args.liquidityAmount);
  }),
  anchorHandler(flashRepayReserveLiquidity, 25_200, ({ accounts, args }, call) => {
    const { reserve } = accounts;
    const { liquidityAmount: amount, borrowInstructionIndex: borrowIndex } = args;
    const context = loadMarketContext({ call, rules }, accounts.lendingMarket);
    const before = readLendingReserve({ call }, accounts);
    const source = accounts.userSourceLiquidity;
    requireAddresses(call, accounts, { reserveDestinationLiquidity: before.liquidity.supplyVault });
    requireTokenAccount(call, { slot: 'userSourceLiquidity', address: source });
    requireNoReserveEmergency(before);
    requireNotReserveVault(source, before.liquidity.supplyVault);
    requireFlashRepay(call, { reserve, amount, borrowIndex });
    handleRepay({ call, context }, accounts, { before, amount });
  }),
];

function handleBorrow(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof flashBorrowReserveLiquidity.accounts>,
  amount: bigint,
): void {
  const { call } = lending;
  const { reserve, lendingMarketAuthority, reserveLiquidityMint: mint, tokenProgram } = accounts;
  const destination = accounts.userDestinationLiquidity;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readLendingReserve(lending, accounts);
  const source = before.liquidity.supplyVault;
  requireAddresses(call, accounts, { reserveSourceLiquidity: source });
  requireTokenAccount(call, { slot: 'userDestinationLiquidity', address: destination });
  requireNotReserveVault(destination, source);
  requireFlashLoans(before, context);
  requireSupportedExtensions(call, { mint, account: destination });
  requireFlashBorrow(call, amount);
  const after = flashBorrow(before, context, amount);
  writeReserve(call, reserve, after);
  const signer = { lendingMarketAuthority };
  transferLiquidity(call, { mint, tokenProgram, source, destination, signer, amount });
}

/** The loan and the referrer's fee go to the reserve, the protocol fee to its vault. */
function handleRepay(
  { call, context }: { readonly call: InvokeContext; readonly context: LendingContext },
  accounts: RepayAccounts,
  { before, amount }: { readonly before: Reserve; readonly amount: bigint },
): void {
  const state = referrerState(call, accounts);
  const { reserve, fees } = flashRepay(before, context, {
    amount,
    hasReferrer: state !== undefined,
  });
  if (state !== undefined) creditReferrer(call, state, sfFromInt(fees.referrer));
  writeReserve(call, accounts.reserve, reserve);
  const transfer = {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.tokenProgram,
    source: accounts.userSourceLiquidity,
    signer: { wallet: accounts.userTransferAuthority },
  };
  const reserveVault = accounts.reserveDestinationLiquidity;
  transferLiquidity(call, {
    ...transfer,
    destination: reserveVault,
    amount: amount + fees.referrer,
  });
  if (fees.protocol === 0n) return;
  const feeVault = accounts.reserveLiquidityFeeReceiver;
  transferLiquidity(call, { ...transfer, destination: feeVault, amount: fees.protocol });
}

/** Without both the referrer and its token state, the loan has no referrer. */
function referrerState(call: InvokeContext, accounts: RepayAccounts): Address | undefined {
  const { referrerAccount: referrer, referrerTokenState, reserve } = accounts;
  if (referrer === undefined) return undefined;
  if (referrerTokenState === undefined) {
    call.log('No referrer account provided');
    return undefined;
  }
  const mint = accounts.reserveLiquidityMint;
  readReferrerState(call, referrerTokenState, { referrer, reserve, mint });
  return referrerTokenState;
}

type LoanAccounts = {
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
  readonly reserve: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveLiquidityFeeReceiver: Address;
  readonly sysvarInfo: Address;
  readonly tokenProgram: Address;
};

function readLendingReserve(
  { call }: { readonly call: InvokeContext },
  accounts: LoanAccounts,
): Reserve {
  const { lendingMarket: market, reserveLiquidityMint: mint } = accounts;
  requireMarketAuthority(call, market, accounts.lendingMarketAuthority);
  const reserve = readReserve(call, accounts.reserve, { market });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveLiquidityFeeReceiver: reserve.liquidity.feeVault,
    sysvarInfo: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, accounts.tokenProgram);
  return reserve;
}
