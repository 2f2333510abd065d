import { expect, onTestFinished } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import type { History } from '#server/history/open-history.ts';
import { OwnerIndex } from '#server/indexer/events/owner-index.ts';
import { LiveRecorder } from '#server/indexer/recording/live-recorder.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { FakeSource } from '../fakes/fake-source.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { goldenCluster } from '../golden/golden.ts';

type Changes = readonly (readonly [Address, ClusterAccount | undefined])[];

/** A full minute, in which every slot is sampled. */
const MINUTE = 1_760_000_040n;
export const FIRST_SLOT = 1_000n;

/** A recorder that follows the accounts, with slots and their changes as the test says. */
export async function startRecorder(
  history: History,
  accounts: ReadonlyMap<Address, ClusterAccount> = goldenCluster().accounts,
) {
  const at = { slot: toSlot(FIRST_SLOT), unix: toUnixSeconds(MINUTE) };
  const source = new FakeSource(at, accounts);
  const state = new ClusterState({
    log: silentLog,
    onChange: (address, account) => recorder.onAccount(address, account),
  });
  const recorder = new LiveRecorder({
    ...{ history, state, source, registry: emptyRegistry, log: silentLog },
    ownerIndex: new OwnerIndex(state),
    onShareBalance: () => undefined,
    hasAllPositions: () => true,
    minuteRetentionDays: 30,
    rawRetentionDays: 30,
    clock: () => 0,
    random: () => 0,
  });
  onTestFinished(() => recorder.stop());
  await recorder.start();
  const close = (time: ChainTime, changes: Changes) => {
    for (const [address, account] of changes) state.apply({ address, account, slot: time.slot });
    state.setAt(time);
    recorder.onSlot(time);
  };
  /** Closes the slot at an offset from the first, in the same minute unless said otherwise. */
  const closeSlot = (slots: bigint, changes: Changes = [], seconds = 0n) =>
    close({ slot: toSlot(at.slot + slots), unix: toUnixSeconds(at.unix + seconds) }, changes);
  const written = () => expect.poll(() => recorder.status().waiting).toBe(0);
  const rollBack = async (oldest: bigint, newest: bigint, finalized: bigint) => {
    source.ledger.finalized = FIRST_SLOT + finalized;
    const slots = { oldest: toSlot(FIRST_SLOT + oldest), newest: toSlot(FIRST_SLOT + newest) };
    recorder.onRollBack(slots);
    await written();
  };
  // shares are recognized by their vaults
  closeSlot(
    0n,
    [...accounts].sort(([, a], [, b]) => rankOf(a) - rankOf(b)),
  );
  await written();
  return { source, recorder, closeSlot, written, rollBack };
}

const rankOf = (account: ClusterAccount): number => (vaultState.matches(account) ? 0 : 1);
