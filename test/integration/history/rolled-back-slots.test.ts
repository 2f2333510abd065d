import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { History } from '#server/history/open-history.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { findAccount, withValueAt } from '../../support/clusters/golden-indexer.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { readAllLatestStates, readWholeSeries } from '../../support/history/history-reads.ts';
import { FIRST_SLOT, startRecorder } from '../../support/history/started-recorder.ts';

/** The amount of the first deposit follows the address of its reserve. */
const DEPOSITED = obligation.offsets.deposits + 32;
const STAKE = userState.offsets.activeStakeScaled;

/** The amount of the first deposit of a loan, by slot after the first. */
async function readDeposits({ db }: History, loan: Address) {
  const id = await createHistoryReader(db).ids.findId(loan);
  const rows = await db
    .selectFrom('obligation_state')
    .select(['slot', 'deflated'])
    .where('obligation', '=', id ?? 0)
    .orderBy('slot')
    .execute();
  return rows.map(({ slot, deflated }) => [
    slot - FIRST_SLOT,
    deflated === null ? null : inflateRawSync(deflated).readBigUInt64LE(DEPOSITED),
  ]);
}

onEachEngine('slots that are rolled back', (engine) => {
  test('leave no state of a loan, also if their numbers come again', async () => {
    const history = await (await engine.fresh()).open();
    const { source, closeSlot, written, rollBack } = await startRecorder(history);
    const [loan, account] = findAccount(source, obligation);
    const withDeposit = (amount: bigint) =>
      [[loan, withValueAt(account, DEPOSITED, amount)]] as const;
    const first = Buffer.from(account.data).readBigUInt64LE(DEPOSITED);
    closeSlot(1n, withDeposit(11n));
    closeSlot(3n, withDeposit(33n));
    closeSlot(5n, withDeposit(55n));
    await written();
    expect(await readDeposits(history, loan)).toEqual([
      [0n, first],
      [1n, 11n],
      [3n, 33n],
      [5n, 55n],
    ]);
    await rollBack(3n, 5n, 1n);
    expect(await readDeposits(history, loan)).toEqual([
      [0n, first],
      [1n, 11n],
    ]);
    closeSlot(5n, withDeposit(77n));
    await written();
    expect(await readDeposits(history, loan)).toEqual([
      [0n, first],
      [1n, 11n],
      [5n, 77n],
    ]);
    await history.close();
  });

  test('are recorded again if their changes are in the cluster after all', async () => {
    const history = await (await engine.fresh()).open();
    const { source, closeSlot, written, rollBack } = await startRecorder(history);
    const [loan, account] = findAccount(source, obligation);
    const changed = [[loan, withValueAt(account, DEPOSITED, 11n)]] as const;
    closeSlot(2n, changed);
    await written();
    // slot 2 is not known to be undone, but neither to be final
    await rollBack(4n, 4n, 1n);
    closeSlot(6n);
    await written();
    expect((await readDeposits(history, loan)).slice(1)).toEqual([[6n, 11n]]);
    await history.close();
  });

  test('leave no stake, holding or sample', async () => {
    const history = await (await engine.fresh()).open();
    const { source, closeSlot, written, rollBack } = await startRecorder(history);
    const [stake, staker] = findAccount(source, userState);
    const [lent, reserveAccount] = findAccount(source, reserve);
    const available = reserve.decode(reserveAccount).liquidity.totalAvailableAmount;
    const offset = Buffer.from(reserveAccount.data).indexOf(
      u64Bytes(available),
      reserve.offsets.liquidity,
    );
    const withAvailable = (amount: bigint) =>
      [lent, withValueAt(reserveAccount, offset, amount)] as const;
    const before = await readAllLatestStates(history, 'farmStake');
    const holdings = await readAllLatestStates(history, 'vaultHolding');
    const changes = [
      [stake, withValueAt(staker, STAKE, 7n)],
      withAvailable(available + 1n),
    ] as const;
    closeSlot(1n, changes, 60n);
    closeSlot(2n, [withAvailable(available + 2n)], 120n);
    await written();
    await rollBack(1n, 2n, 0n);
    const samplesOf = async (resolution: 'minute' | 'hour' | 'day') =>
      (await readWholeSeries(history, { kind: 'reserve', resolution, subject: lent })).map(
        (row) => [row.slot - FIRST_SLOT, row.available],
      );
    for (const resolution of ['minute', 'hour', 'day'] as const) {
      expect(await samplesOf(resolution), resolution).toEqual([[0n, available]]);
    }
    expect(await readAllLatestStates(history, 'farmStake')).toEqual(before);
    closeSlot(2n, [[stake, staker], withAvailable(available + 5n)], 120n);
    await written();
    expect(await samplesOf('hour')).toEqual([[2n, available + 5n]]);
    const stakes = await readAllLatestStates(history, 'farmStake');
    expect(stakes.map(({ stake: amount }) => amount)).toEqual(before.map((row) => row.stake));
    expect(await readAllLatestStates(history, 'vaultHolding')).toEqual(holdings);
    await history.close();
  });

  test('are undone once, whoever reports them', async () => {
    const history = await (await engine.fresh()).open();
    const { source, closeSlot, written, rollBack } = await startRecorder(history);
    const [loan, account] = findAccount(source, obligation);
    const withDeposit = (amount: bigint) =>
      [[loan, withValueAt(account, DEPOSITED, amount)]] as const;
    closeSlot(3n, withDeposit(33n));
    await written();
    await rollBack(3n, 3n, 1n);
    closeSlot(4n, withDeposit(44n));
    await written();
    await rollBack(2n, 3n, 1n);
    expect((await readDeposits(history, loan)).slice(1)).toEqual([[4n, 44n]]);
    await history.close();
  });
});

function u64Bytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
