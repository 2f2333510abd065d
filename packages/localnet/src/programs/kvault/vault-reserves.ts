import { type AccountMeta, type Address, READ, WRITE } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { refreshReservesBatch } from '@tidegate/core/protocol/klend/instructions';
import { type Reserve, reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { type CTokenExchangeRate, exchangeRate } from '@tidegate/core/protocol/klend/math';
import { kvaultRejection } from '@tidegate/core/protocol/kvault';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import type { VaultContext } from '@tidegate/core/protocol/kvault/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { loadAccount } from './account-checks.ts';

/** A vault, and the accounts behind the named ones: its reserves in the order of its places, their markets. */
export type VaultReserveAccounts = {
  readonly vault: Pick<VaultState, 'vaultAllocationStrategy'>;
  readonly remaining: readonly Address[];
};

/** Interest up to this slot; prices stay as they are. */
export function refreshVaultReserves(
  call: InvokeContext,
  { vault, remaining }: VaultReserveAccounts,
): void {
  const count = usedAllocations(vault).length;
  if (count === 0) return;
  const given = remaining.slice(0, count);
  const metas = given.flatMap((address): AccountMeta[] => [
    { address, role: WRITE },
    { address: reserveAt(call, address).lendingMarket, role: READ },
  ]);
  if (given.length < count) {
    const reason = `${given.length} of the vault’s ${count} reserves are given`;
    throw kvaultRejection('MissingReserveForBatchRefresh', reason);
  }
  const batch = { accounts: {}, args: { skipPriceUpdates: 1 }, remaining: metas };
  call.invoke(refreshReservesBatch.build(KLEND_PROGRAM, batch));
}

/**
 * What the cTokens of the vault are worth now. By the current rule in any build of the lending program: the
 * vault counts by itself.
 */
export function vaultSnapshot(
  call: InvokeContext,
  { vault, remaining }: VaultReserveAccounts,
): VaultContext {
  const exchanges = usedAllocations(vault).map(({ reserve }, i): [Address, CTokenExchangeRate] => {
    const given = remaining[i];
    if (given !== reserve) {
      const reason = `${given} is given where the reserve ${reserve} must be`;
      throw kvaultRejection('ReserveAccountAndKeyMismatch', reason);
    }
    const fields = reserveAt(call, reserve);
    const { slot, stale } = fields.lastUpdate;
    if (stale !== 0 || slot < call.time.slot) {
      throw kvaultRejection('ReserveIsStale', `the reserve ${reserve} is not of this slot`);
    }
    return [reserve, exchangeRate(fields)];
  });
  return { exchanges: new Map(exchanges), time: call.time };
}

const reserveAt = (call: InvokeContext, address: Address): Reserve =>
  loadAccount(call, reserveLayout, { address, owner: KLEND_PROGRAM });
