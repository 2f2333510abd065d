import { type ClusterAccount, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { NEWEST_RULES } from '@tidegate/core/protocol/releases';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { AccountProof, SlotProof } from '@tidegate/localnet/replay';
import { expect, test } from 'vitest';
import type { ReplayTask } from './proof-messages.ts';
import { UnfollowedAccounts } from './unfollowed-accounts.ts';

const METADATA = SYSTEM_PROGRAM;
const slot = toSlot(7n);
const account = (...bytes: number[]): ClusterAccount => ({
  owner: KLEND_PROGRAM,
  lamports: 1n,
  data: Uint8Array.from(bytes),
});

const unknown = (kind: AccountProof['kind'], ours?: ClusterAccount): AccountProof => ({
  address: METADATA,
  program: 'klend',
  kind,
  instructions: ['initUserMetadata'],
  signatures: ['s'],
  verdict: 'notProvable',
  reason: 'stateAfterUnknown',
  ...(ours && { ours }),
});

/** The account of the cluster is `found`. */
function start(found: ClusterAccount | undefined) {
  const clock = { ms: 0 };
  let reads = 0;
  const unfollowed = new UnfollowedAccounts({
    clock: () => clock.ms,
    getAccounts: async (addresses, minSlot) => {
      expect(minSlot).toBe(slot);
      reads += 1;
      return { slot, accounts: addresses.map(() => found) };
    },
  });
  const confirm = async (proof: AccountProof) => {
    const { accounts } = await unfollowed.confirm({ accounts: [proof], transactions: [] }, slot);
    return accounts[0]?.verdict;
  };
  /** The first replay lacks an account; `second` is what one with it says. */
  const replayTwice = async (second: AccountProof['verdict']) => {
    const slots: ReplayTask['slot'][] = [];
    const observed = {
      time: { slot, unix: toUnixSeconds(0n) },
      transactions: [],
      isComplete: true,
    };
    const seen = new Map<AccountProof['address'], ClusterAccount | undefined>();
    const task = { slot: { ...observed, before: seen, after: seen }, rules: NEWEST_RULES };
    const lacking: AccountProof = { ...unknown('obligation'), reason: 'accountUnknown' };
    const verdicts: AccountProof[] = [
      { ...lacking, detail: `${METADATA}, an instruction of the system program` },
      { ...lacking, verdict: second },
    ];
    const { proof, ms } = await unfollowed.replay(task, {
      replay: async (each) => {
        slots.push(each.slot);
        const accounts = verdicts.slice(slots.length - 1, slots.length);
        const result: SlotProof = { accounts, transactions: [] };
        return { proof: result, ms: 2 };
      },
    });
    return { verdict: proof.accounts[0]?.verdict, ms, slots };
  };
  return { confirm, replayTwice, clock, reads: () => reads };
}

test('a slot that reads an account that nobody follows is replayed again with it', async () => {
  const { replayTwice } = start(account(1));
  const { verdict, ms, slots } = await replayTwice('proven');
  expect(verdict).toBe('proven');
  expect(ms).toBe(4);
  expect(slots[1]?.before.get(METADATA)).toEqual(account(1));
  expect(slots[1]?.after.get(METADATA)).toEqual(account(1));
});

test('only a proof counts: the account may be another one since', async () => {
  expect((await start(account(1)).replayTwice('differing')).verdict).toBe('notProvable');
  const missing = await start(undefined).replayTwice('proven');
  expect(missing.verdict).toBe('notProvable');
  expect(missing.slots).toHaveLength(1);
});

test('an account that nobody follows is proven if its bytes are those of the replay', async () => {
  const { confirm } = start(account(1, 2));
  expect(await confirm(unknown('userMetadata', account(1, 2)))).toBe('proven');
});

test('other bytes are no difference: they may be of a later transaction', async () => {
  expect(await start(account(1, 3)).confirm(unknown('userMetadata', account(1, 2)))).toBe(
    'notProvable',
  );
  expect(await start(undefined).confirm(unknown('userMetadata', account(1, 2)))).toBe(
    'notProvable',
  );
});

test('accounts that state has are not read, and neither are those that the replay does not know', async () => {
  const { confirm, reads } = start(account(1, 2));
  expect(await confirm(unknown('obligation', account(1, 2)))).toBe('notProvable');
  expect(await confirm(unknown('userMetadata'))).toBe('notProvable');
  expect(reads()).toBe(0);
});

test('at most ten reads a minute', async () => {
  const { confirm, clock, reads } = start(account(1));
  for (let i = 0; i < 20; i++) await confirm(unknown('userMetadata', account(1)));
  expect(reads()).toBe(10);
  clock.ms += 60_000;
  expect(await confirm(unknown('userMetadata', account(1)))).toBe('proven');
});
