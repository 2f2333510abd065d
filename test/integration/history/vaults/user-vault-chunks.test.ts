import { expect, test } from 'vitest';
import { MIDNIGHT, uniqueAddress } from '../../../support/history/history-rows.ts';
import { held, isoOf } from '../../../support/history/user-vault-rows.ts';
import {
  startVaultHistoryApi,
  vaultHourPoint,
} from '../../../support/history/vault-history-rows.ts';

const HOUR = 3_600n;

/** Ten hours of a vault, and a wallet with 10 shares since before them. */
async function startPosition() {
  const ids = { wallet: uniqueAddress(), vault: uniqueAddress() };
  const start = MIDNIGHT;
  const points = Array.from({ length: 10 }, (_, hour) =>
    vaultHourPoint(ids.vault, start + BigInt(hour) * HOUR + HOUR, { tokens: 1_000n }),
  );
  const api = await startVaultHistoryApi({
    batch: { points, vaultHoldings: [held(ids, start - 5n, 10n)] },
  });
  const path = `/kvaults/users/${ids.wallet}/vaults/${ids.vault}/metrics/history`;
  const sharesBetween = async (from: bigint, to: bigint) => {
    const range = `start=${isoOf(start + from * HOUR)}&end=${isoOf(start + to * HOUR)}`;
    const { body } = await api.get(`${path}?${range}`);
    return (body as { sharesAmount: string }[]).map(({ sharesAmount }) => sharesAmount);
  };
  return { ...api, ids, start, sharesBetween };
}

test('a short range of a position is no limit for a later request', async () => {
  const { sharesBetween } = await startPosition();
  expect(await sharesBetween(4n, 6n)).toEqual(['10', '10']);
  expect(await sharesBetween(1n, 11n)).toEqual(Array(10).fill('10'));
  expect(await sharesBetween(1n, 3n)).toEqual(['10', '10']);
});

test('a trade that is recorded late changes the cached points after it', async () => {
  const { ids, start, sharesBetween, writer } = await startPosition();
  expect(await sharesBetween(1n, 5n)).toEqual(['10', '10', '10', '10']);
  await writer.append({ vaultHoldings: [held(ids, start + 2n * HOUR + 5n, 4n)] });
  expect(await sharesBetween(1n, 5n)).toEqual(['10', '10', '4', '4']);
});

test('the first day counts from its first sample, at any hour', async () => {
  const ids = { wallet: uniqueAddress(), vault: uniqueAddress() };
  const noon = MIDNIGHT - 12n * HOUR;
  const points = Array.from({ length: 12 }, (_, hour) =>
    vaultHourPoint(ids.vault, noon + BigInt(hour) * HOUR + HOUR, { tokens: 1_000n }),
  );
  const vaultHoldings = [held(ids, noon + 5n, 10n)];
  const { get } = await startVaultHistoryApi({ batch: { points, vaultHoldings } });
  const range = `start=${isoOf(MIDNIGHT - 100n * 24n * HOUR)}&end=${isoOf(MIDNIGHT + HOUR)}`;
  const path = `/kvaults/users/${ids.wallet}/vaults/${ids.vault}/metrics/history`;
  const days = (await get(`${path}?${range}`)).body as { createdOn: string }[];
  expect(days.map(({ createdOn }) => createdOn)).toEqual([isoOf(MIDNIGHT)]);
});
