import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { Lamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  type Sf,
  sfFromInt,
  subSf,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import { type CTokenExchangeRate, collateralToLiquiditySf } from '../../klend/math/exact-ratio.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultAllocationView, VaultStateView } from '../layout/vault-state.ts';

/** The exchange rates of the vault's reserves, refreshed in the requested slot. */
export type CTokenExchangeRates = ReadonlyMap<Address, CTokenExchangeRate>;

/** The vault's investment in one reserve. `liquidity` is in lamports, rounded down to 60 bits. */
export type ReserveInvestment = {
  readonly reserve: Address;
  readonly ctokenAllocation: bigint;
  readonly liquidity: Sf;
};

export type VaultHoldings = {
  readonly available: Lamports;
  /** In the order of the vault's allocations, without unused ones. */
  readonly invested: readonly ReserveInvestment[];
  readonly investedTotal: Sf;
};

export function vaultHoldings(
  vault: Pick<VaultStateView, 'tokenAvailable' | 'vaultAllocationStrategy'>,
  exchanges: CTokenExchangeRates,
): VaultHoldings {
  const invested = usedAllocations(vault).map(({ reserve, ctokenAllocation }) => {
    const exchange = findExchangeRate(exchanges, reserve);
    return {
      reserve,
      ctokenAllocation,
      liquidity: collateralToLiquiditySf(exchange, ctokenAllocation),
    };
  });
  const investedTotal = invested.reduce((sum, { liquidity }) => addSf(sum, liquidity), ZERO_SF);
  return { available: vault.tokenAvailable, invested, investedTotal };
}

/** The assets of the shareholders in lamports: available plus invested minus pending fees. */
export function vaultAum(
  vault: Pick<VaultStateView, 'tokenAvailable' | 'pendingFeesSf'>,
  investedTotal: Sf,
): Sf {
  const total = addSf(sfFromInt(vault.tokenAvailable), investedTotal);
  if (total < vault.pendingFeesSf) {
    throw kvaultRejection(
      'AUMBelowPendingFees',
      'the pending fees exceed the holdings of the vault',
    );
  }
  return subSf(total, vault.pendingFeesSf);
}

/** Cached because a request reads them several times and most allocations are unused. */
const known = new WeakMap<object, readonly VaultAllocationView[]>();

export function usedAllocations(
  vault: Pick<VaultStateView, 'vaultAllocationStrategy'>,
): readonly VaultAllocationView[] {
  const found = known.get(vault);
  if (found !== undefined) return found;
  const used = [...vault.vaultAllocationStrategy].filter(({ reserve }) => reserve !== ZERO_ADDRESS);
  known.set(vault, used);
  return used;
}

export function findExchangeRate(
  exchanges: CTokenExchangeRates,
  reserve: Address,
): CTokenExchangeRate {
  const exchange = exchanges.get(reserve);
  if (exchange === undefined) {
    throw kvaultRejection('ReserveNotProvidedInTheAccounts', `the reserve ${reserve} is missing`);
  }
  return exchange;
}
