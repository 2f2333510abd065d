import { type AccountMeta, type Address, READ, WRITE } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { refreshReservesBatch } from '@tidegate/core/protocol/klend/instructions';
import { type Reserve, reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { type CTokenExchangeRate, ctokenExchangeRate } from '@tidegate/core/protocol/klend/math';
import { kvaultRejection, type VaultRules } from '@tidegate/core/protocol/kvault';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import type { VaultContext } from '@tidegate/core/protocol/kvault/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { loadAccount } from './account-checks.ts';

/**
 * A vault, and the instruction's remaining accounts: its reserves in allocation order, then their
 * markets.
 */
export type VaultReserveAccounts = {
  readonly vault: Pick<VaultState, 'vaultAllocationStrategy'>;
  readonly remaining: readonly Address[];
  readonly rules: VaultRules;
};

/** Accrues interest up to this slot; prices stay. */
export function refreshVaultReserves(call: InvokeContext, listed: VaultReserveAccounts): void {
  const { vault, remaining, rules } = listed;
  const count = usedAllocations(vault).length;
  if (count === 0) return;
  const comparesFirst = rules.reserveListOrder === 'compare first';
  if (comparesFirst) compareReserves(call, listed);
  const reserves = remaining.slice(0, count);
  const metas = reserves.flatMap((address): AccountMeta[] => [
    { address, role: WRITE },
    { address: reserveAt(call, address).lendingMarket, role: READ },
  ]);
  if (reserves.length < count) {
    const reason = `${reserves.length} of the vault’s ${count} reserves are given`;
    throw kvaultRejection('MissingReserveForBatchRefresh', reason);
  }
  const batch = { accounts: {}, args: { skipPriceUpdates: 1 }, remaining: metas };
  call.invoke(refreshReservesBatch.build(KLEND_PROGRAM, batch));
  if (comparesFirst) readVaultContext(call, listed);
}

/** Each allocation needs its reserve. Any other type of account makes the program panic. */
function compareReserves(call: InvokeContext, { vault, remaining }: VaultReserveAccounts): void {
  usedAllocations(vault).forEach(({ reserve }, i) => {
    const account = remaining[i];
    if (account === undefined) {
      throw kvaultRejection('ReserveNotProvidedInTheAccounts', `${reserve} is not given`);
    }
    if (!reserveLayout.matches(call.account(account))) {
      throw new ProgramFailure('ProgramFailedToComplete');
    }
    requireReserve(account, reserve);
  });
}

function requireReserve(account: Address | undefined, reserve: Address): void {
  if (account === reserve) return;
  const reason = `${account} is given where the reserve ${reserve} must be`;
  throw kvaultRejection('ReserveAccountAndKeyMismatch', reason);
}

/** The current exchange rates of the vault's cTokens. */
export function readVaultContext(
  call: InvokeContext,
  { vault, remaining, rules }: VaultReserveAccounts,
): VaultContext {
  const exchanges = usedAllocations(vault).map(({ reserve }, i): [Address, CTokenExchangeRate] => {
    requireReserve(remaining[i], reserve);
    const fields = reserveAt(call, reserve);
    const { slot, stale } = fields.lastUpdate;
    if (stale !== 0 || slot < call.time.slot) {
      throw kvaultRejection('ReserveIsStale', `the reserve ${reserve} is not of this slot`);
    }
    return [reserve, ctokenExchangeRate(fields)];
  });
  return { exchanges: new Map(exchanges), time: call.time, rules };
}

const reserveAt = (call: InvokeContext, address: Address): Reserve =>
  loadAccount(call, reserveLayout, { address, owner: KLEND_PROGRAM });
