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

/** One of somebody's loans. */
export type LoanRef = {
  readonly owner: Signer;
  readonly market: Address;
  readonly kind: ObligationKind;
};

export const loanAddress = ({ owner, market, kind }: LoanRef): Address =>
  obligationAddress({ ...kind, owner: owner.address, lendingMarket: market });

/** A reserve, and how much of its token. */
export type ReserveAmount = { readonly reserve: Address; readonly amount: AmountOrAll };

export const executeDeposit = (
  player: Simulator,
  loan: LoanRef,
  sum: ReserveAmount,
): TransactionRecord => lend(player, depositBuilder, { loan, sum });

export const executeBorrow = (
  player: Simulator,
  loan: LoanRef,
  sum: ReserveAmount,
): TransactionRecord => lend(player, borrowBuilder, { loan, sum });

export const executeRepay = (
  player: Simulator,
  loan: LoanRef,
  sum: ReserveAmount,
): TransactionRecord => lend(player, repayBuilder, { loan, sum });

export const executeWithdraw = (
  player: Simulator,
  loan: LoanRef,
  sum: ReserveAmount,
): TransactionRecord => lend(player, withdrawBuilder, { loan, sum });

type LoanSum = { readonly loan: LoanRef; readonly sum: ReserveAmount };

function lend(
  player: Simulator,
  builder: Builder<LendingRequest>,
  { loan, sum }: LoanSum,
): TransactionRecord {
  return player.act({ ...buildLending(player, builder, { loan, sum }), signers: [loan.owner] });
}

/** Not signed yet, for one who has more to add. */
export function buildLending(
  player: Simulator,
  builder: Builder<LendingRequest>,
  { loan, sum }: LoanSum,
): Build {
  const { owner, market, kind } = loan;
  return player.build(builder, { wallet: owner.address, market, obligation: kind, ...sum });
}

/** A loan with nothing in it, as it is left by who goes away after the first step. */
export function openEmptyLoan(player: Simulator, loan: LoanRef): TransactionRecord {
  const { owner, market, kind } = loan;
  const { tag, seed1, seed2 } = obligationSeeds(kind);
  const payer = { feePayer: owner.address, rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM };
  const userMetadata = userMetadataAddress(owner.address);
  const hasMetadata = player.bank.account(userMetadata) !== undefined;
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
  return player.act({
    instructions: hasMetadata ? [obligation] : [metadata, obligation],
    signers: [owner],
  });
}

/** In lamports, as of the next slot; nothing where there is no loan. */
export function maxBorrowAmount(player: Simulator, loan: LoanRef, reserve: Address): bigint {
  const now = refreshedLoan(player, loanAddress(loan), [reserve]);
  return now === undefined ? 0n : maxBorrow(now.position, now.terms, reserve);
}

export function maxWithdrawAmount(player: Simulator, loan: LoanRef, reserve: Address): bigint {
  const now = refreshedLoan(player, loanAddress(loan));
  return now === undefined ? 0n : maxWithdraw(now.position, now.terms, reserve).liquidity;
}

export function debtAmount(player: Simulator, loan: LoanRef, reserve: Address): bigint {
  const now = refreshedLoan(player, loanAddress(loan));
  const debt = now?.position.obligation.borrows.find((each) => each.borrowReserve === reserve);
  return debt === undefined ? 0n : floorSf(debt.borrowedAmountSf);
}

/** Everything of a loan brought to the slot, as every act on it begins. */
export function refreshInstructions(player: Simulator, address: Address): Instruction[] {
  const obligation = findObligation(player, address);
  if (obligation === undefined) return [];
  const reserves = obligationReserves(obligation);
  return [
    ...[...new Set(reserves)].map((reserve) => refreshOf(player, reserve)),
    refreshObligation.build(KLEND_PROGRAM, {
      accounts: { lendingMarket: obligation.lendingMarket, obligation: address },
      args: {},
      remaining: reserves.map((each) => ({ address: each, role: READ })),
    }),
  ];
}

function refreshOf(player: Simulator, reserve: Address): Instruction {
  const fields = refreshedReserve(player, reserve);
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

/** All of a market, with their prices. */
export function refreshMarketReserves(
  player: Simulator,
  market: Address,
  payer: Signer,
): TransactionRecord | undefined {
  const reserves = [...player.state.reservesOf(market)];
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
  return player.act({ instructions: [instruction], signers: [payer] });
}

export function joinElevationGroup(
  player: Simulator,
  loan: LoanRef,
  group: number,
): TransactionRecord {
  const address = loanAddress(loan);
  const obligation = findObligation(player, address);
  const reserves = obligation === undefined ? [] : obligationReserves(obligation);
  const request = requestElevationGroup.build(KLEND_PROGRAM, {
    accounts: { owner: loan.owner.address, obligation: address, lendingMarket: loan.market },
    args: { elevationGroup: group },
    remaining: reserves.map((each) => ({ address: each, role: WRITE })),
  });
  return player.act({
    instructions: [...refreshInstructions(player, address), request],
    signers: [loan.owner],
  });
}
