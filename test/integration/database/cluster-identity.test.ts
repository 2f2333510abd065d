import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import {
  type ClusterIdentity,
  claimHistory,
  requireSameCluster,
} from '#server/history/cluster-identity.ts';
import type { History } from '#server/history/open-history.ts';
import { clearHistory } from '#server/history/origin.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';

/** A localnet that was started at these slots. */
const localnet = (...runs: readonly [id: string, slot: bigint][]): ClusterIdentity => ({
  genesis: 'G',
  runs: runs.map(([id, slot]) => ({ id, slot: toSlot(slot) })),
});

const recordTransaction = ({ db }: History, slot: bigint) =>
  sql`insert into raw_transaction values ('\\x01', ${slot}::int8, 0, 1, '\\x00')`.execute(db);

onEachEngine('a database', (engine) => {
  const openEmpty = async () => {
    const history = await engine.shared();
    await clearHistory(history.db);
    return history;
  };

  test('of another genesis is refused, with both named', async () => {
    const { db } = await openEmpty();
    await requireSameCluster(db, { genesis: 'mine' });
    await claimHistory(db, { genesis: 'mine' });
    await requireSameCluster(db, { genesis: 'mine' });
    const error = await catchError(claimHistory(db, { genesis: 'other' }));
    expect(error?.code).toBe('HISTORY_OF_ANOTHER');
    expect(error?.message).toMatch(
      /\(the cluster with the genesis hash mine instead of the cluster with the genesis hash other\)\. Use another DATA_DIR or DATABASE_URL\./,
    );
  });

  test('belongs to the first copy of a data folder that writes', async () => {
    const { db } = await openEmpty();
    await claimHistory(db, localnet(['first', 100n]));
    await claimHistory(db, localnet(['first', 100n], ['a', 200n]));
    const copy = localnet(['first', 100n], ['b', 200n]);
    const refused = await catchError(claimHistory(db, copy));
    expect(refused?.message).toContain('a localnet whose data folder is a copy of this one');
    await claimHistory(db, localnet(['first', 100n], ['a', 200n], ['a2', 300n]));
  });

  test('has more of a run than a copy from the middle of the run', async () => {
    const history = await openEmpty();
    const { db } = history;
    await claimHistory(db, localnet(['a', 100n]));
    await recordTransaction(history, 900n);
    const copy = localnet(['a', 100n], ['b', 500n]);
    expect((await catchError(requireSameCluster(db, copy)))?.code).toBe('HISTORY_OF_ANOTHER');
    // a power failure may lose the last seconds of a cluster
    await requireSameCluster(db, localnet(['a', 100n], ['a2', 800n]));
  });
});
