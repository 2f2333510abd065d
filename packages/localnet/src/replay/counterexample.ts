import type { Address, ClusterAccount } from '@tidegate/core/base';
import { type ProgramRules, rulesOfReleases } from '@tidegate/core/protocol/releases';
import { countDiffering } from './count-differing.ts';
import { namesMint } from './described-accounts.ts';
import type { ObservedSlot, SeenAccounts } from './observed-slot.ts';
import { readTransaction } from './readable-transaction.ts';
import { replayAccounts, replaySlot } from './replay-slot.ts';
import type { FieldDifference, SlotProof } from './slot-proof.ts';

/** Versions such as `1.25`. */
export type ReplayedReleases = {
  readonly klend: string;
  readonly kvault: string;
  readonly farms: string;
};

/** A slot that differs from its replay, with everything that repeats the replay. */
export type Counterexample = {
  /** Whose rules the replay followed. */
  readonly releases: ReplayedReleases;
  /** Only with the accounts that the replay needs. */
  readonly slot: ObservedSlot;
  /** The accounts that differ, as the replay wrote them. */
  readonly ours: SeenAccounts;
  readonly differences: readonly FoundDifference[];
};

export type FoundDifference = FieldDifference & {
  /** The address of an account, or the signature of a transaction. */
  readonly subject: string;
  /** The kind of an account, or `transaction`. */
  readonly kind: string;
  /** Undefined for a transaction without calls of the programs. */
  readonly program: string | undefined;
  readonly instructions: readonly string[];
};

/** Stores why a slot differs under the rules. */
export function toCounterexample(
  slot: ObservedSlot,
  rules: ProgramRules,
  releases: ReplayedReleases,
): Counterexample {
  const reduced = withNeededAccounts(slot);
  const found = replayAccounts(reduced, rules);
  // what the reduced slot does not show any more, the whole slot does
  const isSame = countDiffering(found.proof) === countDiffering(replaySlot(slot, rules));
  const [kept, { proof, accounts }] = isSame
    ? [reduced, found]
    : [slot, replayAccounts(slot, rules)];
  const differing = new Set(
    proof.accounts.flatMap(({ verdict, address }) => (verdict === 'differing' ? address : [])),
  );
  const ours = new Map([...accounts].filter(([address]) => differing.has(address)));
  return { releases, slot: kept, ours, differences: differencesOf(proof) };
}

function differencesOf({ accounts, transactions }: SlotProof): FoundDifference[] {
  return [
    ...transactions.flatMap(({ signature, calls, differences = [] }) =>
      differences.map((difference) => ({
        ...difference,
        subject: signature,
        kind: 'transaction',
        program: calls[0]?.program,
        instructions: calls.map(({ instruction }) => instruction),
      })),
    ),
    ...accounts.flatMap(({ address, kind, program, instructions, differences = [] }) =>
      differences.map((difference) => ({
        ...difference,
        subject: address,
        kind,
        program,
        instructions,
      })),
    ),
  ];
}

/** With the rules of its releases, or with others: if they are right, everything is proven. */
export const replayCounterexample = (
  { slot, releases }: Counterexample,
  rules: ProgramRules = rulesOfCounterexample(releases, slot),
): SlotProof => replaySlot(slot, rules);

/** Throws UNKNOWN_RELEASE for a release that this version does not know. */
const rulesOfCounterexample = (
  { klend, kvault, farms }: ReplayedReleases,
  { time }: ObservedSlot,
): ProgramRules => rulesOfReleases(`klend@${klend},kvault@${kvault},farms@${farms}`)(time.slot);

/** The accounts of the transactions, and those of the same slot that describe their mints and markets. */
function withNeededAccounts(slot: ObservedSlot): ObservedSlot {
  const listed = new Set(slot.transactions.flatMap(addressesOf));
  for (const [address, account] of slot.after) {
    if (slot.before.has(address) && slot.before.get(address)?.data !== account?.data) {
      listed.add(address);
    }
  }
  const isNeeded = (address: Address, account: ClusterAccount | undefined): boolean =>
    listed.has(address) || (account !== undefined && namesMint(account, listed));
  const needed = (accounts: SeenAccounts): SeenAccounts =>
    new Map([...accounts].filter(([address, account]) => isNeeded(address, account)));
  return { ...slot, before: needed(slot.before), after: needed(slot.after) };
}

function addressesOf(observed: ObservedSlot['transactions'][number]): readonly Address[] {
  const readable = readTransaction(observed);
  return typeof readable === 'string' ? [] : [...readable.roles.keys()];
}
