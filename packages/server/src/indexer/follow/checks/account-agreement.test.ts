import { type ClusterAccount, toSlot, ZERO_ADDRESS } from '@tidegate/core/base';
import { KVAULT_PROGRAM } from '@tidegate/core/protocol/kvault';
import type { ClusterState } from '@tidegate/core/state';
import { expect, test } from 'vitest';
import type { ChainSource } from '../../../chain/source/chain-source.ts';
import { AccountAgreement } from './account-agreement.ts';

const ADDRESS = KVAULT_PROGRAM;
/** Of everything that state has. */
const STATE_SLOT = toSlot(100n);
/** Of reads, far from the slots that state is complete for. */
const READ_SLOT = toSlot(500n);

const accountOf = (byte: number): ClusterAccount => ({
  owner: ZERO_ADDRESS,
  lamports: 1n,
  data: Uint8Array.of(byte),
});

/** A single endpoint, and a state that does not advance while accounts are read again after a gap. */
function createAgreement(reads: readonly ClusterAccount[]) {
  const held = accountOf(1);
  const isHeld = ({ data }: ClusterAccount) => data[0] === held.data[0];
  const waits: bigint[] = [];
  const left = [...reads];
  const getAccounts: ChainSource['getAccounts'] = async () => ({
    slot: READ_SLOT,
    accounts: [left.length > 1 ? left.shift() : left[0]],
  });
  const state = {
    slotOf: () => STATE_SLOT,
    holds: (_: string, account: ClusterAccount) => isHeld(account),
    stored: () => ({ ...held, address: ADDRESS, slot: STATE_SLOT }),
    kindOf: () => 'vault',
    slotMs: () => ({ numerator: 1n, denominator: 1n }),
  } as unknown as ClusterState;
  const ignore = () => undefined;
  const agreement = new AccountAgreement({
    source: { name: 'node', getAccounts },
    state,
    queue: {
      completeSlot: STATE_SLOT,
      waitForSlot: async (slot) => void waits.push(slot),
    },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  agreement.streamed.note(ADDRESS, STATE_SLOT);
  const confirm = (account: ClusterAccount) =>
    agreement.confirm([{ address: ADDRESS, account, slot: READ_SLOT }], READ_SLOT);
  return { confirm, waits };
}

test('a read after a gap that a second read refutes is rejected, without waiting for a state that waits for it', async () => {
  // the account changes after the second read, so that it is read again after some slots
  const { confirm, waits } = createAgreement([accountOf(1), accountOf(2)]);
  await expect(confirm(accountOf(9))).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  expect(waits).toEqual([]);
});

test('a read after a gap is accepted if the account is as the stream has sent it, or the second read returns the same', async () => {
  const { confirm } = createAgreement([accountOf(9)]);
  await confirm(accountOf(1));
  await confirm(accountOf(9));
});
