import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type AccountMeta, type Instruction, WRITE } from '#core/base/solana/instruction.ts';
import {
  refreshObligation,
  refreshReservesBatch,
} from '#core/protocol/klend/instructions/refresh.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { isBorrow, isDeposit } from '#core/protocol/klend/operations/position.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import type { LendingFlowVariant } from '../flows/lending-flow-variants.ts';

/** Accounts before or after a run. */
type Accounts = { get(address: Address): ClusterAccount | undefined };

function accountIn(accounts: Accounts, address: Address): ClusterAccount {
  const account = accounts.get(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  return account;
}

export const decodeReserveAt = (accounts: Accounts, address: Address): Reserve =>
  reserve.decode(accountIn(accounts, address));

export const decodeObligationAt = (accounts: Accounts, address: Address): Obligation =>
  obligation.decode(accountIn(accounts, address));

export const tokenBalanceAt = (accounts: Accounts, address: Address): bigint =>
  tokenAccount.decode(accountIn(accounts, address)).amount;

/** Reserves of deposits, then of debts, in the order of a refresh. */
export function positionReserves(accounts: Accounts, address: Address): Address[] {
  const { deposits, borrows } = decodeObligationAt(accounts, address);
  return [
    ...deposits.filter(isDeposit).map((each) => each.depositReserve),
    ...borrows.filter(isBorrow).map((each) => each.borrowReserve),
  ];
}

/** Refreshes reserves of a market in one batch, with prices. */
export function refreshReservesInstruction(
  { accounts }: LendingFlowVariant,
  reserves: readonly Address[],
): Instruction {
  const absent: AccountMeta = { address: KLEND_PROGRAM, role: 0 };
  const remaining = [...new Set(reserves)].flatMap((address): AccountMeta[] => {
    const { lendingMarket, config } = decodeReserveAt(accounts, address);
    const { priceFeed } = config.tokenInfo.scopeConfiguration;
    return [
      { address, role: WRITE },
      { address: lendingMarket, role: 0 },
      ...[absent, absent, absent],
      { address: priceFeed, role: 0 },
    ];
  });
  const args = { skipPriceUpdates: 0 };
  return refreshReservesBatch.build(KLEND_PROGRAM, { accounts: {}, args, remaining });
}

/** Refreshes an obligation with the given positions. */
export const refreshObligationInstruction = (
  { accounts }: LendingFlowVariant,
  existing: Address,
  positions: readonly Address[],
): Instruction =>
  refreshObligation.build(KLEND_PROGRAM, {
    accounts: {
      lendingMarket: decodeObligationAt(accounts, existing).lendingMarket,
      obligation: existing,
    },
    args: {},
    remaining: positions.map((address) => ({ address, role: WRITE })),
  });
