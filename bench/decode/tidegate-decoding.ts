import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import type { Task } from '../compare/task-worker.ts';
import type { DecodeInput } from '../decode.ts';

export function decodeTasks(input: DecodeInput): Record<string, Task> {
  return {
    viewReserve: over(input.reserves, readReserve),
    viewObligation: over(input.obligations, readObligation),
    viewPositions: over(input.obligations, readPositions),
    viewVaultState: over(input.vaultStates, readVaultState),
    decodeReserve: over(input.reserves, reserve.decode),
    decodeObligation: over(input.obligations, obligation.decode),
    decodeVaultState: over(input.vaultStates, vaultState.decode),
  };
}

function over(accounts: readonly RawAccount[], read: (account: RawAccount) => unknown): Task {
  return {
    inputs: accounts.length,
    run: (input) => {
      const account = accounts[input];
      return account === undefined ? undefined : read(account);
    },
    sample: () => accounts.map(read),
  };
}

function readReserve(account: RawAccount) {
  const { lastUpdate, liquidity, collateral, config } = reserve.view(account);
  return {
    'liquidity.mintPubkey': liquidity.mintPubkey,
    'lastUpdate.slot': lastUpdate.slot,
    'liquidity.totalAvailableAmount': liquidity.totalAvailableAmount,
    'liquidity.borrowedAmountSf': liquidity.borrowedAmountSf,
    'liquidity.accumulatedProtocolFeesSf': liquidity.accumulatedProtocolFeesSf,
    'liquidity.accumulatedReferrerFeesSf': liquidity.accumulatedReferrerFeesSf,
    'liquidity.pendingReferrerFeesSf': liquidity.pendingReferrerFeesSf,
    'liquidity.marketPriceSf': liquidity.marketPriceSf,
    'collateral.mintTotalSupply': collateral.mintTotalSupply,
    'config.loanToValuePct': config.loanToValuePct,
  };
}

function readObligation(account: RawAccount) {
  const view = obligation.view(account);
  return {
    owner: view.owner,
    tag: view.tag,
    'lastUpdate.slot': view.lastUpdate.slot,
    elevationGroup: view.elevationGroup,
    hasDebt: view.hasDebt,
    depositedValueSf: view.depositedValueSf,
    borrowedAssetsMarketValueSf: view.borrowedAssetsMarketValueSf,
    borrowFactorAdjustedDebtValueSf: view.borrowFactorAdjustedDebtValueSf,
    allowedBorrowValueSf: view.allowedBorrowValueSf,
    unhealthyBorrowValueSf: view.unhealthyBorrowValueSf,
  };
}

/** Of every place that is in use: which reserve, and how much. */
function readPositions(account: RawAccount) {
  const { deposits, borrows } = obligation.view(account);
  const read: Record<string, unknown> = {};
  for (let i = 0; i < deposits.length; i++) {
    const deposit = deposits.at(i);
    const depositReserve = deposit?.depositReserve ?? ZERO_ADDRESS;
    if (depositReserve === ZERO_ADDRESS) continue;
    read[`deposits.${i}.depositReserve`] = depositReserve;
    read[`deposits.${i}.depositedAmount`] = deposit?.depositedAmount;
  }
  for (let i = 0; i < borrows.length; i++) {
    const borrow = borrows.at(i);
    const borrowReserve = borrow?.borrowReserve ?? ZERO_ADDRESS;
    if (borrowReserve === ZERO_ADDRESS) continue;
    read[`borrows.${i}.borrowReserve`] = borrowReserve;
    read[`borrows.${i}.borrowedAmountSf`] = borrow?.borrowedAmountSf;
  }
  return read;
}

function readVaultState(account: RawAccount) {
  const view = vaultState.view(account);
  return {
    tokenMint: view.tokenMint,
    tokenMintDecimals: view.tokenMintDecimals,
    tokenAvailable: view.tokenAvailable,
    sharesIssued: view.sharesIssued,
    performanceFeeBps: view.performanceFeeBps,
    managementFeeBps: view.managementFeeBps,
    lastFeeChargeTimestamp: view.lastFeeChargeTimestamp,
    prevAumSf: view.prevAumSf,
    pendingFeesSf: view.pendingFeesSf,
    cumulativeEarnedInterestSf: view.cumulativeEarnedInterestSf,
  };
}
