import { toSlot } from '@tidegate/core/base';
import { SeenAddresses } from '@tidegate/core/state';
import type { AccountSet } from './account-sets.ts';
import type { AccountSnapshot } from './account-snapshot.ts';
import type { AbsenceCheck, CheckedAbsences, SetRead } from './checks/absence-check.ts';

/** A snapshot with what a second read says of the accounts that it left out. */
export type CheckedSnapshot = AccountSnapshot & {
  readonly read: SetRead;
  readonly missing: CheckedAbsences;
};

export async function checkSnapshot(
  snapshot: AccountSnapshot,
  { kind, selection }: AccountSet,
  absences: AbsenceCheck,
): Promise<CheckedSnapshot> {
  const { slot, accounts } = snapshot;
  const seen = new SeenAddresses();
  for (const { address } of accounts) seen.add(address);
  // an update of the same slot may have created an account
  const completeAt = toSlot(slot > 0n ? slot - 1n : 0n);
  const read: SetRead = { kind, selection, seen, completeAt, slot };
  return { ...snapshot, read, missing: await absences.check(read) };
}
