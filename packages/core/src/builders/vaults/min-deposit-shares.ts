import { CodedError } from '../../base/errors.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { depositToVault } from '../../protocol/kvault/operations/deposit-to-vault.ts';
import type { BuildContext } from '../build.ts';
import { laterTime } from '../later-time.ts';
import { MAX_LANDING_SLOTS } from '../lending/lending-amounts.ts';
import { resultOrError } from '../result-or-error.ts';
import type { VaultActionContext } from './vault-action-context.ts';
import { decodeVault, vaultRatesAtSlot } from './vault-at-slot.ts';

/** Part of the expected shares, so that a gain of the vault that nobody can foresee does not fail the deposit. */
const EXPECTED_PART = { numerator: 999n, denominator: 1_000n };

type VaultDeposit = { readonly target: VaultActionContext; readonly amount: bigint };

/**
 * The shares that a deposit must issue: about those of the plan, in the worst slot in which it can land. It fails if the
 * deposit cap of the vault leaves room for less than planned. Undefined for a release that has no such limit.
 */
export function minDepositShares(
  deposit: VaultDeposit,
  { state }: Pick<BuildContext, 'state'>,
): bigint | undefined {
  if (state.rulesAt(state.at().slot).vaults.limitInstructions === 'absent') return undefined;
  const ends = [0n, MAX_LANDING_SLOTS].map((slots) => sharesAt(slots, deposit, { state }));
  const least = ends.reduce((fewest, shares) => (shares < fewest ? shares : fewest));
  return (least * EXPECTED_PART.numerator) / EXPECTED_PART.denominator;
}

/** Those of the whole amount if the limits of the vault do not allow it now; 0 if it is worth less than a share. */
function sharesAt(
  slots: bigint,
  { target, amount }: VaultDeposit,
  { state }: Pick<BuildContext, 'state'>,
): bigint {
  const vault = decodeVault(target);
  const context = {
    ...vaultRatesAtSlot(target, state, slots),
    time: laterTime(state.at(), slots, state),
  };
  const unlimited = { ...vault, depositCap: toLamports(0n), minDepositAmount: toLamports(0n) };
  for (const each of [vault, unlimited]) {
    const effects = resultOrError(() => depositToVault(each, context, { maxAmount: amount }));
    if (!(effects instanceof CodedError)) return effects.sharesToMint;
  }
  return 0n;
}
