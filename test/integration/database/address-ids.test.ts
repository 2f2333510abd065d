import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addressToBytes } from '#core/base/encoding/address.ts';
import { openApiHistory } from '#server/composition/clusters/api-history.ts';
import { AddressIds } from '#server/history/ids/address-ids.ts';
import type { History } from '#server/history/open-history.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { uniqueAddress } from '../../support/history/history-rows.ts';

type ApiHistoryOptions = Parameters<typeof openApiHistory>[0];

/** What a restore and a new writer do: another address gets the id of a lost row. */
async function giveIdAgain({ db }: History, id: number) {
  const address = uniqueAddress();
  const bytes = Buffer.from(addressToBytes(address));
  await sql`update address set bytes = ${bytes} where id = ${id}`.execute(db);
  return address;
}

async function createId({ db }: History): Promise<number> {
  const address = uniqueAddress();
  return (await new AddressIds(db).getOrCreateIds([address]))(address);
}

onEachEngine('ids of addresses', (engine) => {
  test('are read again by an api process after another state has replaced its own', async () => {
    const history = await engine.shared();
    const parts = { history, isReplica: false, facts: () => ({}), log: silentLog };
    const api = openApiHistory(parts as unknown as ApiHistoryOptions);
    const id = await createId(history);
    const { ids } = api.reads.history ?? { ids: new AddressIds(history.db) };
    await ids.getAddresses([id]);
    const address = await giveIdAgain(history, id);
    api.onReplaced();
    expect((await ids.getAddresses([id]))(id)).toBe(address);
    expect(await ids.findId(address)).toBe(id);
  });

  test('are found by a call during which the others are forgotten', async () => {
    const history = await engine.shared();
    const [first, second] = [await createId(history), await createId(history)];
    const ids = new AddressIds(history.db);
    await ids.getAddresses([first]);
    const reading = ids.getAddresses([first, second]);
    ids.forget();
    const find = await reading;
    expect([find(first), find(second)]).toHaveLength(2);
  });
});
