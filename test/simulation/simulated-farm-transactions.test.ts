import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { farmEventKinds } from '#server/history/event-kinds.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { recordSimulation, startSimulationApi } from '../support/history/recorded-simulation.ts';

type Page = { readonly result: readonly { tokenAmount: string; usdAmount: string }[] };

onPglite('a simulated day', ({ fresh }) => {
  test('has a value for every stake, also of the hour before reserves were refreshed', async () => {
    const history = await (await fresh()).open();
    const recorded = await recordSimulation({ seed: 'tidegate', days: 1 }, history);
    const { get } = await startSimulationApi(recorded);
    const { rows } = await sql<{ farm: Uint8Array; wallet: Uint8Array }>`
      select farm.bytes as farm, wallet.bytes as wallet from farm_event
      join address as farm on farm.id = farm_event.farm
      join address as wallet on wallet.id = farm_event.wallet
      where kind = ${farmEventKinds.indexOf('setStake')}`.execute(history.db);
    const paths = new Set(
      rows.flatMap(({ farm, wallet }) => [
        `/farms/${encodeBase58(farm)}/transactions?limit=100`,
        `/farms/users/${encodeBase58(wallet)}/transactions`,
      ]),
    );
    expect(paths.size).toBeGreaterThan(4);
    for (const path of paths) {
      const { status, body } = await get(path);
      expect(status, JSON.stringify(body)).toBe(200);
      const { result } = body as Page;
      for (const { tokenAmount, usdAmount } of result) {
        if (Number(tokenAmount) !== 0) expect(Number(usdAmount), path).not.toBe(0);
      }
    }
  });
});
