import type { Address } from '@tidegate/core/base';
import {
  lendingMarket,
  reserveConfig,
  reserve as reserveLayout,
  reserveLiquidity,
  withdrawalCaps,
} from '@tidegate/core/protocol/klend/layout';
import { accrueReserveToSlot } from '@tidegate/core/protocol/klend/operations';
import type { ProgramRules } from '@tidegate/core/protocol/releases';
import { CodedError } from '../errors/index.ts';
import type { ObservedSlot } from './observed-slot.ts';
import type { AccountProof } from './slot-proof.ts';

/** The name that a proof of the interest alone has instead of an instruction's. */
const ACCRUAL = 'accrual';

/**
 * Checks the only field of a reserve that nothing but time changes: its cumulative rate. For a reserve whose transactions
 * nobody saw.
 */
export function proveAccrual(
  proof: AccountProof,
  slot: ObservedSlot,
  rules: ProgramRules,
): AccountProof {
  const { address, program, kind } = proof;
  const base = { address, program, kind, instructions: [ACCRUAL], signatures: [] };
  try {
    const rates = accruedRates(address, slot, rules);
    if (rates === undefined) return { ...base, verdict: 'notProvable', reason: 'accrualUnknown' };
    const [expected, actual] = rates;
    if (expected === actual) return { ...base, verdict: 'proven' };
    const difference = {
      field: 'liquidity.cumulativeBorrowRateBsf',
      offset: RATE_AT,
      expected: `${expected}`,
      actual: `${actual}`,
    };
    return { ...base, verdict: 'differing', differences: [difference] };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { ...base, verdict: 'notProvable', reason: 'unmodelled', detail: error.message };
  }
}

/** Undefined if the accounts do not tell them. A change of the settings in the slot may have come before the interest. */
function accruedRates(
  address: Address,
  { before, after, time }: ObservedSlot,
  rules: ProgramRules,
): readonly [bigint, bigint] | undefined {
  const [old, updated] = [before.get(address), after.get(address)];
  if (old === undefined || updated === undefined) return undefined;
  if (!reserveLayout.matches(old) || !reserveLayout.matches(updated)) return undefined;
  const [start, end] = [reserveLayout.decode(old), reserveLayout.decode(updated)];
  const market = before.get(start.lendingMarket);
  if (market === undefined || !hasSameConfig(old.data, updated.data)) return undefined;
  const actual = end.liquidity.cumulativeBorrowRateBsf.value;
  if (end.lastUpdate.slot === start.lastUpdate.slot) {
    return [start.liquidity.cumulativeBorrowRateBsf.value, actual];
  }
  // an update of another slot: there may have been several since the first version
  if (end.lastUpdate.slot !== time.slot) return undefined;
  const context = { market: lendingMarket.decode(market), time, rules: rules.lending };
  const accrued = accrueReserveToSlot(start, context);
  return [accrued.liquidity.cumulativeBorrowRateBsf.value, actual];
}

const CONFIG_AT = reserveLayout.offsets.config;
const RATE_AT = reserveLayout.offsets.liquidity + reserveLiquidity.offsets.cumulativeBorrowRateBsf;

const RESERVED_BYTES = 3;

/** Parts of the settings that operations write: what was withdrawn in an interval, and bytes that a refresh sets to zero. */
const WRITTEN_SETTINGS = [
  [reserveConfig.offsets.depositWithdrawalCap, withdrawalCaps.size],
  [reserveConfig.offsets.debtWithdrawalCap, withdrawalCaps.size],
  [reserveConfig.offsets.reserved1, RESERVED_BYTES],
] as const;

function hasSameConfig(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < reserveConfig.size; i++) {
    const isWritten = WRITTEN_SETTINGS.some(([at, size]) => i >= at && i < at + size);
    if (!isWritten && a[CONFIG_AT + i] !== b[CONFIG_AT + i]) return false;
  }
  return true;
}
