import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { StateInput } from '#server/history/schema/event-tables.ts';
import { MIDNIGHT, uniqueAddress } from '../../../support/history/history-rows.ts';
import {
  startVaultHistoryApi,
  vaultHourPoint,
} from '../../../support/history/vault-history-rows.ts';

const HOUR = 3_600n;
const DAY = 86_400n;
const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

type PositionIds = { readonly wallet: Address; readonly vault: Address };

const held = (ids: PositionIds, at: bigint, shares: bigint): StateInput<'vaultHolding'> => ({
  ...ids,
  slot: toSlot(at),
  at: toUnixSeconds(at),
  held: shares * 1_000_000n,
  staked: 0n,
});

test('a daily point after a sale has no value of before the sale', async () => {
  const ids = { wallet: uniqueAddress(), vault: uniqueAddress() };
  const from = MIDNIGHT - 3n * DAY;
  const points = Array.from({ length: 72 }, (_, i) =>
    vaultHourPoint(ids.vault, from + BigInt(i) * HOUR + 7n, { tokens: 1_000n }),
  );
  const vaultHoldings = [
    held(ids, from - 5n, 10n),
    held(ids, from + 36n * HOUR, 0n),
    held(ids, from + 60n * HOUR, 20n),
  ];
  const { get } = await startVaultHistoryApi({ batch: { points, vaultHoldings } });
  const expected = [
    { createdOn: isoOf(from + DAY), usdAmount: '10' },
    { createdOn: isoOf(from + 3n * DAY), usdAmount: '20' },
  ];
  for (const path of [`vaults/${ids.vault}/metrics/history`, 'metrics/history']) {
    const { body } = await get(`/kvaults/users/${ids.wallet}/${path}?end=${isoOf(MIDNIGHT + 1n)}`);
    expect(body, path).toMatchObject(expected);
  }
});

test('a total without one of its vaults is a gap', async () => {
  const wallet = uniqueAddress();
  const [one, two] = [uniqueAddress(), uniqueAddress()];
  const hour = (vault: Address, i: bigint, changes = {}) =>
    vaultHourPoint(vault, MIDNIGHT + i * HOUR, { tokens: 1_000n, ...changes });
  const points = [
    ...[0n, 1n, 2n, 3n].map((i) => hour(one, i)),
    ...[hour(two, 0n), hour(two, 2n, { priceSf: null }), hour(two, 3n)],
  ];
  const vaultHoldings = [one, two].map((vault) => held({ wallet, vault }, MIDNIGHT - 5n, 100n));
  const { get } = await startVaultHistoryApi({ batch: { points, vaultHoldings } });
  const range = `start=${isoOf(MIDNIGHT)}&end=${isoOf(MIDNIGHT + 4n * HOUR)}`;
  const { body, headers } = await get(`/kvaults/users/${wallet}/metrics/history?${range}`);
  expect(body).toMatchObject([
    { createdOn: isoOf(MIDNIGHT), usdAmount: '200' },
    { createdOn: isoOf(MIDNIGHT + 3n * HOUR), usdAmount: '200' },
  ]);
  expect(headers.get('x-gaps')).toBe(`${isoOf(MIDNIGHT)}/${isoOf(MIDNIGHT + 3n * HOUR)}`);
});
