import type { Address } from '@tidegate/core/base';
import type { AccountProof, ObservedSlot, SlotProof } from '@tidegate/localnet/replay';
import type { CapturedSlot } from './slot-capture.ts';

/** Accounts whose bytes after the slot nobody knows for sure. */
export const unknownAfter = ({ accounts }: SlotProof): readonly Address[] =>
  accounts
    .filter(({ reason }) => reason === 'stateAfterUnknown' || reason === 'transactionMissing')
    .map(({ address }) => address);

/** Without the accounts that were not sent after the slot. */
export function seenOnly({ observed, silent }: CapturedSlot): ObservedSlot {
  const hidden = new Set(silent);
  const after = new Map([...observed.after].filter(([address]) => !hidden.has(address)));
  return { ...observed, after };
}

/** An account without an update was not written, or its update was not sent: a node does not send that of a closed one. */
export const withoutSilent = (
  { accounts, transactions }: SlotProof,
  { updated }: CapturedSlot,
) => ({
  transactions,
  accounts: accounts.map((account) =>
    account.verdict === 'differing' && !updated.has(account.address)
      ? notProvable(account, 'stateAfterUnknown')
      : account,
  ),
});

export function notProvable<Proof extends Pick<AccountProof, 'verdict' | 'reason' | 'differences'>>(
  { differences: _, ...proof }: Proof,
  reason: NonNullable<AccountProof['reason']>,
) {
  return { ...proof, verdict: 'notProvable' as const, reason };
}
