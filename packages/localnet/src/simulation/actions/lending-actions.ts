import {
  type AccountMeta,
  type Address,
  floorSf,
  type Instruction,
  READ,
  WRITE,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import {
  type AmountOrAll,
  type Build,
  type Builder,
  borrowBuilder,
  depositBuilder,
  type LendingRequest,
  repayBuilder,
  withdrawBuilder,
} from '@tidegate/core/builders';
import {
  KLEND_PROGRAM,
  type ObligationKind,
  obligationAddress,
  obligationSeeds,
  userMetadataAddress,
} from '@tidegate/core/protocol/klend';
import {
  initObligation,
  initUserMetadata,
  refreshObligation,
  refreshReserve,
  refreshReservesBatch,
  requestElevationGroup,
} from '@tidegate/core/protocol/klend/instructions';
import { maxBorrow, maxWithdraw } from '@tidegate/core/protocol/klend/operations';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import type { Simulator } from '../setup/simulator.ts';
import {
  findObligation,
  obligationReserves,
  refreshedLoan,
  refreshedReserve,
} from './loan-state.ts';

export type LoanRef = {
  readonly owner: Signer;
  readonly market: Address;
  readonly kind: ObligationKind;
};

export const loanAddress = ({ owner, market, kind }: LoanRef): Address =>
  obligationAddress({ ...kind, owner: owner.address, lendingMarket: market });

export type ReserveAmount = { readonly reserve: Address; readonly amount: AmountOrAll };

export const executeDeposit = (
  simulator: Simulator,
  loan: LoanRef,
  amount: ReserveAmount,
): TransactionRecord => executeLending(simulator, depositBuilder, { loan, amount });

export const executeBorrow = (
  simulator: Simulator,
  loan: LoanRef,
  amount: ReserveAmount,
): TransactionRecord => executeLending(simulator, borrowBuilder, { loan, amount });

export const executeRepay = (
  simulator: Simulator,
  loan: LoanRef,
  amount: ReserveAmount,
): TransactionRecord => executeLending(simulator, repayBuilder, { loan, amount });

export const executeWithdraw = (
  simulator: Simulator,
  loan: LoanRef,
  amount: ReserveAmount,
): TransactionRecord => executeLending(simulator, withdrawBuilder, { loan, amount });

type LoanOperation = { readonly loan: LoanRef; readonly amount: ReserveAmount };

function executeLending(
  simulator: Simulator,
  builder: Builder<LendingRequest>,
  { loan, amount }: LoanOperation,
): TransactionRecord {
  return simulator.execute({
    ...buildLending(simulator, builder, { loan, amount }),
    signers: [loan.owner],
  });
}

/** Builds without signing, so that callers can add instructions. */
export function buildLending(
  simulator: Simulator,
  builder: Builder<LendingRequest>,
  { loan, amount }: LoanOperation,
): Build {
  const { owner, market, kind } = loan;
  return simulator.build(builder, { wallet: owner.address, market, obligation: kind, ...amount });
}

/** Creates an obligation without positions, as users leave it who stop after the first step. */
export function openEmptyLoan(simulator: Simulator, loan: LoanRef): TransactionRecord {
  const { owner, market, kind } = loan;
  const { tag, seed1, seed2 } = obligationSeeds(kind);
  const payer = { feePayer: owner.address, rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM };
  const userMetadata = userMetadataAddress(owner.address);
  const hasMetadata = simulator.bank.account(userMetadata) !== undefined;
  const metadata = initUserMetadata.build(KLEND_PROGRAM, {
    accounts: { ...payer, owner: owner.address, userMetadata, referrerUserMetadata: undefined },
    args: { userLookupTable: ZERO_ADDRESS },
  });
  const obligation = initObligation.build(KLEND_PROGRAM, {
    accounts: {
      ...payer,
      obligationOwner: owner.address,
      obligation: loanAddress(loan),
      lendingMarket: market,
      seed1Account: seed1,
      seed2Account: seed2,
      ownerUserMetadata: userMetadata,
    },
    args: { tag, id: 0 },
  });
  return simulator.execute({
    instructions: hasMetadata ? [obligation] : [metadata, obligation],
    signers: [owner],
  });
}

/** In lamports, as of the next slot; 0 without a loan. */
export function maxBorrowAmount(simulator: Simulator, loan: LoanRef, reserve: Address): bigint {
  const state = refreshedLoan(simulator, loanAddress(loan), [reserve]);
  return state === undefined ? 0n : maxBorrow(state.position, state.context, reserve);
}

export function maxWithdrawAmount(simulator: Simulator, loan: LoanRef, reserve: Address): bigint {
  const state = refreshedLoan(simulator, loanAddress(loan));
  return state === undefined ? 0n : maxWithdraw(state.position, state.context, reserve).liquidity;
}

export function debtAmount(simulator: Simulator, loan: LoanRef, reserve: Address): bigint {
  const state = refreshedLoan(simulator, loanAddress(loan));
  const debt = state?.position.obligation.borrows.find(
    (borrow) => borrow.borrowReserve === reserve,
  );
  return debt === undefined ? 0n : floorSf(debt.borrowedAmountSf);
}

/** Refreshes an obligation and all of its reserves; every action on it starts with these. */
export function refreshInstructions(simulator: Simulator, address: Address): Instruction[] {
  const obligation = findObligation(simulator, address);
  if (obligation === undefined) return [];
  const reserves = obligationReserves(obligation);
  return [
    ...[...new Set(reserves)].map((reserve) => refreshReserveInstruction(simulator, reserve)),
    refreshObligation.build(KLEND_PROGRAM, {
      accounts: { lendingMarket: obligation.lendingMarket, obligation: address },
      args: {},
      remaining: reserves.map((reserve) => ({ address: reserve, role: READ })),
    }),
  ];
}

export function refreshReserveInstruction(simulator: Simulator, reserve: Address): Instruction {
  const fields = refreshedReserve(simulator, reserve);
  const { priceFeed } = fields?.config.tokenInfo.scopeConfiguration ?? {};
  return refreshReserve.build(KLEND_PROGRAM, {
    accounts: {
      reserve,
      lendingMarket: fields?.lendingMarket ?? reserve,
      pythOracle: undefined,
      switchboardPriceOracle: undefined,
      switchboardTwapOracle: undefined,
      scopePrices: priceFeed,
    },
    args: {},
  });
}

/** Refreshes all reserves of a market and their prices. */
export function refreshMarketReserves(
  simulator: Simulator,
  market: Address,
  payer: Signer,
): TransactionRecord | undefined {
  const reserves = [...simulator.state.reservesOf(market)];
  if (reserves.length === 0) return undefined;
  const none: AccountMeta = { address: KLEND_PROGRAM, role: READ };
  const remaining = reserves.flatMap(({ address, fields }): AccountMeta[] => [
    { address, role: WRITE },
    { address: market, role: READ },
    ...[none, none, none],
    { address: fields.config.tokenInfo.scopeConfiguration.priceFeed, role: READ },
  ]);
  const instruction = refreshReservesBatch.build(KLEND_PROGRAM, {
    accounts: {},
    args: { skipPriceUpdates: 0 },
    remaining,
  });
  return simulator.execute({ instructions: [instruction], signers: [payer] });
}

export function joinElevationGroup(
  simulator: Simulator,
  loan: LoanRef,
  group: number,
): TransactionRecord {
  const address = loanAddress(loan);
  const obligation = findObligation(simulator, address);
  const reserves = obligation === undefined ? [] : obligationReserves(obligation);
  const request = requestElevationGroup.build(KLEND_PROGRAM, {
    accounts: { owner: loan.owner.address, obligation: address, lendingMarket: loan.market },
    args: { elevationGroup: group },
    remaining: reserves.map((reserve) => ({ address: reserve, role: WRITE })),
  });
  return simulator.execute({
    instructions: [...refreshInstructions(simulator, address), request],
    signers: [loan.owner],
  });
}
