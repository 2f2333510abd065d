import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { Lamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  type Sf,
  sfFromInt,
  subSf,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import {
  type CTokenExchangeRate,
  collateralToLiquiditySf,
} from '../../klend/math/ctoken-exchange.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultAllocationView, VaultStateView } from '../layout/vault-state.ts';

/** The vault's reserves by address, each as refreshed in the slot that is asked about. */
export type CTokenExchangeRates = ReadonlyMap<Address, CTokenExchangeRate>;

/** What the vault has lent to one reserve; `liquidity` in lamports, rounded down to 60 bits. */
export type ReserveInvestment = {
  readonly reserve: Address;
  readonly ctokenAllocation: bigint;
  readonly liquidity: Sf;
};

export type VaultHoldings = {
  readonly available: Lamports;
  /** In the order of the vault's allocations, free places left out. */
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

/** What belongs to the shares, in lamports: available and invested, less the fees not yet paid out. */
export function vaultAum(
  vault: Pick<VaultStateView, 'tokenAvailable' | 'pendingFeesSf'>,
  investedTotal: Sf,
): Sf {
  const held = addSf(sfFromInt(vault.tokenAvailable), investedTotal);
  if (held < vault.pendingFeesSf) {
    throw kvaultRejection('AUMBelowPendingFees', 'the vault holds less than the fees it owes');
  }
  return subSf(held, vault.pendingFeesSf);
}

/** A vault is asked for them several times for one answer, and most of its places are free. */
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
