import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { startLiveCluster } from '../../support/clusters/live-cluster.ts';
import { responseSlot } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  serveLocalnet,
  setAccountValue,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

test('after a rollback the accounts of the undone slots are served as they were before', async () => {
  const { golden, api } = await startLiveCluster();
  const before = (await api.get(VAULT_PATH)).body;
  const changedAt = await setVaultFee(golden, 777);
  await waitForServedSlot(api, changedAt + 2n);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 777 } });
  const { bank } = golden.localnet;
  const newest = bank.slot;
  await golden.result('tidegate_rollBack', [Number(newest - changedAt) + 2]);
  // on a slow machine these are many slots
  golden.advanceSlots(Number(newest - bank.slot));
  await waitForServedSlot(api, newest + 3n);
  await expect
    .poll(async () => responseSlot(await api.get(VAULT_PATH)), LONG_POLL)
    .toBeGreaterThan(newest);
  const { state } = before as { state: { performanceFeeBps: number } };
  expect((await api.get(VAULT_PATH)).body).toMatchObject({
    state: { performanceFeeBps: state.performanceFeeBps },
  });
});

onPglite('after a rollback', ({ fresh }) => {
  test('what was recorded of the undone slots is deleted, even without a transaction that tells', async () => {
    const golden = await startGoldenLocalnet();
    const { bank } = golden.localnet;
    const history = await (await fresh()).open();
    const api = await serveLocalnet(golden, { history });
    await waitUntilReady(api);
    const loan = [...bank.accounts()].find(({ account }) => obligation.matches(account))?.address;
    if (loan === undefined) throw new Error('no golden loan');
    // the amount of the first deposit follows the address of its reserve
    const offset = obligation.offsets.deposits + 32;
    const original = Buffer.from(bank.account(loan)?.data ?? []).readBigUInt64LE(offset);
    const readDeposits = async () => {
      const id = await createHistoryReader(history.db).ids.findId(loan);
      const rows = history.db.selectFrom('obligation_state').select('deflated').orderBy('slot');
      return (await rows.where('obligation', '=', id ?? 0).execute()).map(
        ({ deflated }) => deflated && inflateRawSync(deflated).readBigUInt64LE(offset),
      );
    };
    const changedAt = await setAccountValue(golden, { address: loan, offset, value: 987_654n });
    await expect.poll(readDeposits, LONG_POLL).toContain(987_654n);
    await golden.result('tidegate_rollBack', [Number(bank.slot - changedAt) + 2]);
    await expect.poll(readDeposits, LONG_POLL).not.toContain(987_654n);
    await waitForServedSlot(api, changedAt + 20n);
    await expect.poll(async () => (await readDeposits()).at(-1), LONG_POLL).toBe(original);
    expect(await readDeposits()).not.toContain(987_654n);
  });
});
