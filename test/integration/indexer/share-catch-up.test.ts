import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import {
  EVENTS_LISTED_CHECKPOINT,
  EVENTS_SINCE_CHECKPOINT,
} from '#server/history/checkpoint-names.ts';
import type { History } from '#server/history/open-history.ts';
import { readCheckpoint } from '#server/history/queries/checkpoints.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { EventFollower } from '#server/indexer/events/event-follower.ts';
import { OwnerIndex } from '#server/indexer/events/owner-index.ts';
import { LiveRecorder } from '#server/indexer/recording/live-recorder.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { FakeSource } from '../../support/fakes/fake-source.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import { ShareWallets } from '../../support/history/share-wallets.ts';
import { seededRandom } from '../../support/random/json-mutations.ts';

/** Stops per test. For more: `KILLS=50`. */
const KILLS = Number(process.env['KILLS'] ?? 6);
const FIRST_SLOT = 1_000n;
/** More than a poll lists again. */
const OUTAGE_SLOTS = 1_000n;
const PROGRAMS = [KLEND_PROGRAM, KVAULT_PROGRAM, FARMS_PROGRAM];
const { address: VAULT, sharesMint: SHARES } = goldenVault('Steady USDC');
const NEVER_MS = 1e9;

type Changes = readonly (readonly [Address, ClusterAccount])[];

/** A process that follows and records the cluster, as the server does. */
async function startProcess(history: History, source: FakeSource) {
  const state = new ClusterState({
    log: silentLog,
    onChange: (address, account) => recorder.onAccount(address, account),
  });
  const shared = { source, history, ownerIndex: new OwnerIndex(state), log: silentLog };
  const times = { clock: () => 0, random: () => 0 };
  const follower = new EventFollower({
    ...shared,
    ...times,
    programs: PROGRAMS,
    shares: {
      mints: () => new Map([[VAULT, SHARES]]),
      accountsOf: (wallet, mint) => recorder.shareAccountsOf(wallet, mint),
    },
    timing: {
      pollMs: 2,
      unannouncedPollMs: NEVER_MS,
      announcedPollMs: NEVER_MS,
      streamedPollMs: NEVER_MS,
      doubtMs: NEVER_MS,
      gatherMs: 1,
      requestMs: 1,
      retryMs: 1,
    },
  });
  const recorder = new LiveRecorder({
    ...shared,
    ...times,
    ...{ state, registry: emptyRegistry, hasAllPositions: () => true },
    ...{ minuteRetentionDays: 30, rawRetentionDays: 30 },
    onShareBalance: (account) => follower.onShareAccountChange(account),
    onBalancesStored: () => follower.onBalancesStored(),
  });
  await recorder.start();
  const closeSlot = (changes: Changes) => {
    for (const [address, account] of changes) {
      state.apply({ address, account, slot: source.at.slot });
    }
    state.setAt(source.at);
    recorder.onSlot(source.at);
    follower.onSlot(source.at);
  };
  closeSlot([...source.accounts]);
  follower.start();
  const isCaughtUp = async () => (await readCheckpoint(history.db, EVENTS_LISTED_CHECKPOINT))?.slot;
  const stop = async () => {
    await follower.stop();
    await recorder.stop();
  };
  return { closeSlot, isCaughtUp, stop };
}

const readTransfers = async ({ db }: History): Promise<readonly string[]> => {
  const { rows } = await sql<{ slot: bigint; kind: number; shares_amount: string }>`
    select slot, kind, shares_amount from vault_event order by slot, leg`.execute(db);
  return rows.map(({ slot, kind, shares_amount }) => `${slot} ${kind} ${shares_amount}`);
};

type RunPlan = {
  readonly seed: number;
  /** Whether the events of the cluster are recorded from its first slot on. */
  readonly isComplete: boolean;
};

/** Two processes, one after the other, while wallets send shares. Returns what was sent and what is recorded. */
async function runTwice(history: History, { seed, isComplete }: RunPlan) {
  const random = seededRandom(seed);
  const wallets = new ShareWallets(SHARES, 4);
  const vault = goldenCluster().accounts.get(VAULT);
  if (vault === undefined) throw new Error('no golden vault');
  const at = { slot: toSlot(FIRST_SLOT), unix: toUnixSeconds(FIRST_SLOT) };
  const source = new FakeSource(at, [[VAULT, vault], ...wallets.accounts()]);
  const sent: string[] = [];
  const pick = () => wallets.addresses[random(wallets.addresses.length)] ?? VAULT;
  /** The changes of the next slot. */
  const send = (slots = 1n): Changes => {
    const slot = toSlot(source.at.slot + slots);
    source.at = { slot, unix: toUnixSeconds(slot) };
    const [from, to] = [pick(), pick()];
    if (from === to) return [];
    const amount = BigInt(1 + random(9));
    const transfer = wallets.send({ from, to, slot, amount, isChecked: random(2) === 0 });
    sent.push(`${slot} 8 ${amount}`, `${slot} 9 ${amount}`);
    source.ledger.add(transfer.transaction);
    for (const [address, account] of transfer.accounts) source.accounts.set(address, account);
    return transfer.accounts;
  };
  if (isComplete) {
    const checkpoint = { name: EVENTS_SINCE_CHECKPOINT, direction: 'older' } as const;
    const begin = { slot: toSlot(0n), at: toUnixSeconds(0n) };
    await new HistoryWriter(history.db).append({ checkpoint: { ...checkpoint, ...begin } });
  }
  const first = await startProcess(history, source);
  await expect.poll(first.isCaughtUp).toBe(source.at.slot);
  const slots = 2 + random(8);
  for (let i = 0; i < slots; i++) {
    first.closeSlot(send());
    for (let turns = random(6); turns > 0; turns--) await setImmediate();
  }
  await first.stop();
  // changes balances while no process runs, long after the last slot
  if (random(2) === 0) send(OUTAGE_SLOTS);
  const second = await startProcess(history, source);
  await expect.poll(second.isCaughtUp).toBe(source.at.slot);
  await second.stop();
  return { sent, recorded: await readTransfers(history) };
}

onPglite('transfers of shares', ({ fresh }) => {
  test.each(
    Array.from({ length: KILLS }, (_, i) => ({ seed: 31 * (i + 1), isComplete: i % 2 === 0 })),
  )('shortly before a stop are recorded once by the next start ($seed)', async (plan) => {
    const history = await (await fresh()).open();
    const { sent, recorded } = await runTwice(history, plan);
    expect(recorded).toEqual(sent);
  });
});
