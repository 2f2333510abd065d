import type { Address } from '../../base/encoding/address.ts';
import type { Lamports } from '../../base/numbers/lamports.ts';
import { accrualTerms, NO_ACCRUAL_TERMS } from '../../protocol/klend/math/accrual/accrual.ts';
import { latestTime } from '../../protocol/klend/math/accrual/accrual-duration.ts';
import { payableLiquidity } from '../../protocol/klend/math/liquidity.ts';
import { reserveAtSlot } from '../../protocol/klend/math/reserve-at-slot.ts';
import { type VaultState, vaultState } from '../../protocol/kvault/layout/vault-state.ts';
import type { VaultContext } from '../../protocol/kvault/operations/refresh-vault.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import { computeFigure } from '../../views/lending/unavailable-figures.ts';
import { laterTime } from '../later-time.ts';
import type { VaultActionContext, VaultLendingReserve } from './vault-action-context.ts';

export const decodeVault = ({ vault }: VaultActionContext): VaultState =>
  vaultState.decode({ owner: vault.program, data: vault.data });

/**
 * The current vault with the rates of its reserves some slots later. Interest raises the share
 * price, and fees only lower it, so before that slot a share never costs more.
 */
export function vaultRatesAtSlot(
  { reserves }: VaultActionContext,
  state: ClusterReader,
  slotsLater: bigint,
): VaultContext {
  const exchanges = reserves.map(
    (reserve) => [reserve.address, laterReserve(reserve, state, slotsLater).rate] as const,
  );
  const time = state.at();
  return { exchanges: new Map(exchanges), time, rules: state.rulesAt(time.slot).vaults };
}

/**
 * The liquidity each reserve pays out: unqueued tokens up to its withdrawal cap; none in emergency
 * mode.
 */
export function withdrawableLiquidity(
  { reserves }: VaultActionContext,
  state: ClusterReader,
  slotsLater: bigint,
): ReadonlyMap<Address, Lamports> {
  const { slot, unix: now } = state.at();
  const rules = state.rulesAt(slot).lending;
  const payable = reserves.map((reserve): [Address, Lamports] => {
    const { collateral, withdrawQueue, config, lendingMarket } = reserve.fields;
    const { liquidity } = laterReserve(reserve, state, slotsLater);
    const market = state.market(lendingMarket)?.fields;
    const paying = { liquidity, collateral, withdrawQueue, config };
    return [reserve.address, payableLiquidity(paying, market, { now, rules })];
  });
  return new Map(payable);
}

/** A reserve newer than the state counts from its own slot. */
function laterReserve(
  { address, fields }: VaultLendingReserve,
  state: ClusterReader,
  slotsLater: bigint,
) {
  const time = laterTime(latestTime(state.at(), [fields.lastUpdate]), slotsLater, state);
  const rules = state.rulesAt(time.slot).lending;
  const terms = accrualTerms(state.market(fields.lendingMarket)?.fields ?? NO_ACCRUAL_TERMS);
  return computeFigure(address, () => reserveAtSlot(fields, { time, rules, ...terms }));
}
