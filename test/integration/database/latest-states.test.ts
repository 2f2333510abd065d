import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { POSITIONS_PER_PAGE, readLatestStates } from '#server/history/queries/latest-rows.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { readAllLatestStates } from '../../support/history/history-reads.ts';
import { MIDNIGHT, obligationState, uniqueAddress } from '../../support/history/history-rows.ts';

const LOANS = 2 * POSITIONS_PER_PAGE;
const WALLETS = POSITIONS_PER_PAGE / 2 + 3;

onEachEngine('the latest states', (engine) => {
  test('of more loans than a page are each read once', async () => {
    const history = await (await engine.fresh()).open();
    const loans = Array.from({ length: LOANS }, uniqueAddress);
    const stateOf = (slot: bigint) =>
      loans.map((obligation, index) =>
        obligationState(
          { number: (index + Number(slot)) % 256, at: MIDNIGHT, slot },
          { obligation },
        ),
      );
    await new HistoryWriter(history.db).append({
      obligationStates: [...stateOf(12n), ...stateOf(10n), ...stateOf(11n)],
    });

    const pages: number[] = [];
    const found = new Map<string, unknown>();
    const reader = createHistoryReader(history.db);
    for await (const page of readLatestStates(reader, 'obligationState')) {
      pages.push(page.length);
      for (const { obligation, slot, deflated } of page) found.set(obligation, [slot, deflated]);
    }

    expect(pages).toEqual([POSITIONS_PER_PAGE, POSITIONS_PER_PAGE]);
    expect(found).toEqual(
      new Map(loans.map((loan, index) => [loan, [12n, Uint8Array.of((index + 12) % 256)]])),
    );
    await history.close();
  });

  test('of a wallet in several vaults are all read, at the end of a page too', async () => {
    const history = await (await engine.fresh()).open();
    const vaults = [uniqueAddress(), uniqueAddress(), uniqueAddress()];
    const wallets = Array.from({ length: WALLETS }, uniqueAddress);
    const holdingsAt = (slot: bigint) =>
      wallets.flatMap((wallet, index) =>
        vaults.map((vault, place) => ({
          wallet,
          vault,
          slot: toSlot(slot),
          at: toUnixSeconds(MIDNIGHT + slot),
          held: BigInt(index * vaults.length + place) + slot * 10_000n,
          staked: 0n,
        })),
      );
    const vaultHoldings = [...holdingsAt(1n), ...holdingsAt(2n)];
    await new HistoryWriter(history.db).append({ vaultHoldings });

    const held = (await readAllLatestStates(history, 'vaultHolding')).map((row) => row.held);
    const expected = holdingsAt(2n).map((row) => row.held);
    expect(held.sort()).toEqual(expected.sort());
    await history.close();
  });

  test('of a database without positions are none', async () => {
    const history = await (await engine.fresh()).open();
    expect(await readAllLatestStates(history, 'farmStake')).toEqual([]);
    await history.close();
  });
});
