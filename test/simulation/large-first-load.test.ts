import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { SAMPLES_SINCE_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import type { History } from '#server/history/open-history.ts';
import { readCheckpoint } from '#server/history/queries/checkpoints.ts';
import { replayHistory } from '#server/indexer/jobs/replay-history.ts';
import { ACCOUNTS_PER_SLOT } from '#server/indexer/recording/first-pass.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { withValueAt } from '../support/clusters/golden-indexer.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { goldenCluster } from '../support/golden/golden.ts';
import { onEachEngine } from '../support/history/history-engines.ts';
import { FIRST_SLOT, startRecorder } from '../support/history/started-recorder.ts';

const LOANS = ACCOUNTS_PER_SLOT + 500;
const DEPOSITED = obligation.offsets.deposits + 32;

const addressOf = (number: number): Address =>
  addressFromBytes(createHash('sha256').update(`loan ${number}`).digest());

/** The golden cluster with more loans than fit into one slot. */
function largeCluster(): ReadonlyMap<Address, ClusterAccount> {
  const { accounts } = goldenCluster();
  const loan = [...accounts.values()].find(
    (account) => obligation.matches(account) && obligation.view(account).depositedValueSf > 0n,
  );
  if (loan === undefined) throw new Error('no golden loan');
  const generated = Array.from({ length: LOANS }, (_, i) => [addressOf(i), loan] as const);
  return new Map([...accounts, ...generated]);
}

/** All rows that depend on the order of accounts. */
async function readRows({ db }: History) {
  const loans = await db
    .selectFrom('obligation_state')
    .innerJoin('address', 'address.id', 'obligation_state.obligation')
    .select(['address.bytes', 'slot', 'deflated'])
    .orderBy('slot')
    .orderBy('address.bytes')
    .execute();
  const holdings = await db
    .selectFrom('vault_holding')
    .select(['wallet', 'vault', 'slot', 'held', 'staked'])
    .orderBy('slot')
    .orderBy('wallet')
    .orderBy('vault')
    .execute();
  const markets = await db
    .selectFrom('market_minute')
    .select(['slot', 'obligations'])
    .orderBy('slot')
    .orderBy('obligations')
    .execute();
  return {
    holdings,
    markets,
    loans: loans.map(({ bytes, slot, deflated }) => ({
      address: addressFromBytes(bytes),
      slot: slot - FIRST_SLOT,
      deposited: deflated && inflateRawSync(deflated).readBigUInt64LE(DEPOSITED),
    })),
  };
}

onEachEngine('a first load that does not fit into one slot', (engine) => {
  test('is recorded over some slots, each account once, and sampled at its end', async () => {
    const history = await (await engine.fresh()).open();
    const accounts = largeCluster();
    const { closeSlot, written } = await startRecorder(history, accounts);
    expect((await readRows(history)).markets).toEqual([]);
    const changed = addressOf(LOANS - 1);
    const loan = accounts.get(changed);
    if (loan === undefined) throw new Error('no generated loan');
    closeSlot(1n, [[changed, withValueAt(loan, DEPOSITED, 7n)]]);
    let slot = 1n;
    const isSampled = async () => (await readRows(history)).markets.length > 0;
    while (!(await isSampled())) {
      await written();
      slot += 1n;
      closeSlot(slot);
    }
    closeSlot(slot + 1n, [[changed, withValueAt(loan, DEPOSITED, 8n)]]);
    await written();
    const rows = await readRows(history);

    const existing = [...accounts].filter(([, account]) => obligation.matches(account));
    const first = new Map(rows.loans.map((row) => [row.address, row]));
    expect(first.size).toBe(existing.length);
    expect(rows.loans).toHaveLength(existing.length + 1);
    expect(rows.loans.filter(({ address }) => address === changed)).toEqual([
      { address: changed, slot: 1n, deposited: 7n },
      { address: changed, slot: slot + 1n, deposited: 8n },
    ]);
    // a wallet's shares are in several accounts
    const end = (await readCheckpoint(history.db, SAMPLES_SINCE_CHECKPOINT))?.slot ?? 0n;
    expect(end).toBeGreaterThan(FIRST_SLOT);
    expect(new Set(rows.holdings.map((row) => row.slot))).toEqual(new Set([end]));
    expect(Math.max(...rows.markets.map(({ obligations }) => obligations))).toBeGreaterThan(LOANS);

    await replayHistory({ history, registry: emptyRegistry, log: silentLog });
    expect(await readRows(history)).toEqual(rows);
  });
});
