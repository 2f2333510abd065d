import { type ClusterAccount, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { NEWEST_RULES } from '@tidegate/core/protocol/releases';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { AccountProof } from '@tidegate/localnet/replay';
import { expect, test } from 'vitest';
import { LiveProof } from './live-proof.ts';
import type { ReplayResult } from './proof-messages.ts';

const account: ClusterAccount = { owner: KLEND_PROGRAM, lamports: 1n, data: new Uint8Array(8) };
const differing: AccountProof = {
  address: SYSTEM_PROGRAM,
  program: 'klend',
  kind: 'reserve',
  instructions: ['accrual'],
  signatures: [],
  verdict: 'differing',
  differences: [{ field: 'slot', offset: 0, expected: '1', actual: '2' }],
};
const at = (slot: bigint) => ({ slot: toSlot(slot), unix: toUnixSeconds(slot) });

type ReplayOptions = {
  readonly accounts?: readonly AccountProof[];
  /** Whether the node lists a transaction of the account that was not seen. */
  readonly hasMore?: (address: string) => boolean;
};

/** An account changes in slot 2, and its replay differs. `during` is called while the replay runs. */
async function replay(
  during: (proof: LiveProof) => void,
  { accounts = [differing], hasMore = () => false }: ReplayOptions = {},
) {
  const result: ReplayResult = { proof: { accounts, transactions: [] }, ms: 1 };
  const stored: string[] = [];
  const ignore = () => {};
  const proof = new LiveProof({
    state: { stored: () => undefined },
    hasAllPositions: () => true,
    rulesAt: () => NEWEST_RULES,
    hasKeepers: false,
    executor: {
      replay: async () => {
        during(proof);
        return result;
      },
      describe: async () => 'the counterexample',
      recheck: async () => false,
      close: async () => {},
    },
    store: {
      refresh: async () => {},
      entries: () => [],
      read: async () => '',
      explain: async () => {},
      needs: () => true,
      add: async (text) => {
        stored.push(text);
      },
    },
    ledger: {
      listSignatures: async ({ address }) =>
        hasMore(address)
          ? [{ signature: 'unseen', slot: toSlot(2n), at: undefined, failed: false }]
          : [],
      getTransactions: async () => [],
      getBlockSignatures: async () => [],
    },
    getAccounts: async (addresses, slot = toSlot(0n)) => ({
      slot,
      accounts: addresses.map(() => undefined),
    }),
    unproven: { set: ignore },
    eventSlot: () => undefined,
    percent: 100,
    clock: () => 0,
    random: () => 0,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  proof.onSlot(at(1n));
  await new Promise(setImmediate);
  for (const { address } of accounts) proof.onUpdate({ address, account, slot: toSlot(2n) });
  proof.onSlot(at(2n));
  await new Promise(setImmediate);
  return { stored, rows: proof.report().rows };
}

test('a difference is stored as a counterexample, and counted', async () => {
  const { stored, rows } = await replay(() => {});
  expect(stored).toEqual(['the counterexample']);
  expect(rows).toMatchObject([{ program: 'klend', kind: 'reserve' }]);
});

test('a difference of a slot whose updates were missed in the meantime is not stored', async () => {
  expect(await replay((proof) => proof.onGap())).toEqual({ stored: [], rows: [] });
});

test('a difference of a slot that was rolled back in the meantime is not stored', async () => {
  expect(await replay((proof) => proof.onRollBack())).toEqual({ stored: [], rows: [] });
});

test('a slot of which a transaction is missing is counted, but it is no counterexample', async () => {
  const other: AccountProof = { ...differing, address: KLEND_PROGRAM, kind: 'obligation' };
  const { stored, rows } = await replay(() => {}, {
    accounts: [differing, other],
    hasMore: (address) => address === KLEND_PROGRAM,
  });
  expect(stored).toEqual([]);
  expect(rows).toMatchObject([
    { kind: 'obligation', sinceStart: { differing: 0 } },
    { kind: 'reserve', sinceStart: { differing: 1 } },
  ]);
});
