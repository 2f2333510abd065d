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
  type Amount,
  type Build,
  type Builder,
  type LendingRequest,
  lendBorrow,
  lendDeposit,
  lendRepay,
  lendWithdraw,
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
import type { Player } from '../setup/simulator.ts';
import { loanNow, obligationAt, reserveNow, reservesOf } from './loan-state.ts';

/** One of somebody's loans. */
export type Loan = {
  readonly owner: Signer;
  readonly market: Address;
  readonly kind: ObligationKind;
};

export const loanAddress = ({ owner, market, kind }: Loan): Address =>
  obligationAddress({ ...kind, owner: owner.address, lendingMarket: market });

/** A reserve, and how much of its token. */
export type Sum = { readonly reserve: Address; readonly amount: Amount };

export const depositInto = (player: Player, loan: Loan, sum: Sum): TransactionRecord =>
  lend(player, lendDeposit, { loan, sum });

export const borrowFrom = (player: Player, loan: Loan, sum: Sum): TransactionRecord =>
  lend(player, lendBorrow, { loan, sum });

export const repayTo = (player: Player, loan: Loan, sum: Sum): TransactionRecord =>
  lend(player, lendRepay, { loan, sum });

export const withdrawFrom = (player: Player, loan: Loan, sum: Sum): TransactionRecord =>
  lend(player, lendWithdraw, { loan, sum });

type LoanSum = { readonly loan: Loan; readonly sum: Sum };

function lend(
  player: Player,
  builder: Builder<LendingRequest>,
  { loan, sum }: LoanSum,
): TransactionRecord {
  return player.act({ ...buildFor(player, builder, { loan, sum }), signers: [loan.owner] });
}

/** Not signed yet, for one who has more to add. */
export function buildFor(
  player: Player,
  builder: Builder<LendingRequest>,
  { loan, sum }: LoanSum,
): Build {
  const { owner, market, kind } = loan;
  return player.build(builder, { wallet: owner.address, market, obligation: kind, ...sum });
}

/** A loan with nothing in it, as it is left by who goes away after the first step. */
export function openLoan(player: Player, loan: Loan): TransactionRecord {
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
export function mostToBorrow(player: Player, loan: Loan, reserve: Address): bigint {
  const now = loanNow(player, loanAddress(loan), [reserve]);
  return now === undefined ? 0n : maxBorrow(now.position, now.terms, reserve);
}

export function mostToWithdraw(player: Player, loan: Loan, reserve: Address): bigint {
  const now = loanNow(player, loanAddress(loan));
  return now === undefined ? 0n : maxWithdraw(now.position, now.terms, reserve).liquidity;
}

export function debtOf(player: Player, loan: Loan, reserve: Address): bigint {
  const now = loanNow(player, loanAddress(loan));
  const debt = now?.position.obligation.borrows.find((each) => each.borrowReserve === reserve);
  return debt === undefined ? 0n : floorSf(debt.borrowedAmountSf);
}

/** Everything of a loan brought to the slot, as every act on it begins. */
export function refreshes(player: Player, address: Address): Instruction[] {
  const obligation = obligationAt(player, address);
  if (obligation === undefined) return [];
  const reserves = reservesOf(obligation);
  return [
    ...[...new Set(reserves)].map((reserve) => refreshOf(player, reserve)),
    refreshObligation.build(KLEND_PROGRAM, {
      accounts: { lendingMarket: obligation.lendingMarket, obligation: address },
      args: {},
      remaining: reserves.map((each) => ({ address: each, role: READ })),
    }),
  ];
}

function refreshOf(player: Player, reserve: Address): Instruction {
  const fields = reserveNow(player, reserve);
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
export function refreshReserves(
  player: Player,
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

export function joinGroup(player: Player, loan: Loan, group: number): TransactionRecord {
  const address = loanAddress(loan);
  const obligation = obligationAt(player, address);
  const reserves = obligation === undefined ? [] : reservesOf(obligation);
  const request = requestElevationGroup.build(KLEND_PROGRAM, {
    accounts: { owner: loan.owner.address, obligation: address, lendingMarket: loan.market },
    args: { elevationGroup: group },
    remaining: reserves.map((each) => ({ address: each, role: WRITE })),
  });
  return player.act({
    instructions: [...refreshes(player, address), request],
    signers: [loan.owner],
  });
}
