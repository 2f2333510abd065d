import { expect, test } from 'vitest';
import { goldenVault } from '../../../support/golden/golden-addresses.ts';
import { MIDNIGHT, uniqueAddress } from '../../../support/history/history-rows.ts';
import { held, isoOf, traded, whole } from '../../../support/history/user-vault-rows.ts';
import {
  NOW,
  startVaultHistoryApi,
  vaultHourPoint,
  wholeToSf,
} from '../../../support/history/vault-history-rows.ts';

const STEADY = goldenVault('Steady USDC').address;
const HOUR = 3_600n;

const part = (numerator: bigint, denominator: bigint) => ({ numerator, denominator });

test('fees count as they accrue, so that charging them takes nothing back', async () => {
  const ids = { wallet: uniqueAddress(), vault: uniqueAddress() };
  const hour = (i: bigint, [held, net, fees]: readonly [bigint, bigint, bigint]) =>
    vaultHourPoint(ids.vault, MIDNIGHT + i * HOUR, {
      tokens: net,
      heldSf: wholeToSf(whole(held)),
      pendingFeesSf: wholeToSf(whole(fees)),
    });
  // 10 tokens of interest and 5 of fees accrue; then they are charged
  const points = [
    hour(0n, [1_000n, 1_000n, 0n]),
    hour(1n, [1_010n, 1_010n, 5n]),
    hour(2n, [1_010n, 1_005n, 5n]),
  ];
  const vaultHoldings = [held(ids, MIDNIGHT - 5n, 100n)];
  const { get } = await startVaultHistoryApi({ batch: { points, vaultHoldings } });
  const path = `/kvaults/users/${ids.wallet}/vaults/${ids.vault}/metrics/history`;
  const { body } = await get(`${path}?start=${isoOf(MIDNIGHT)}`);
  expect(body).toMatchObject([
    { createdOn: isoOf(MIDNIGHT), usdAmount: '100', cumulativeInterestEarned: '0' },
    { createdOn: isoOf(MIDNIGHT + HOUR), usdAmount: '101', cumulativeInterestEarned: '0.5' },
    {
      createdOn: isoOf(MIDNIGHT + 2n * HOUR),
      usdAmount: '100.5',
      cumulativeInterestEarned: '0.5',
    },
  ]);
});

test('transferred shares earn from the last sample, whatever the share price of the transfer', async () => {
  const ids = { wallet: uniqueAddress(), vault: uniqueAddress() };
  const hour = (i: bigint, tokens: bigint) =>
    vaultHourPoint(ids.vault, MIDNIGHT + i * HOUR, { tokens });
  const at = MIDNIGHT + 5n;
  const { get } = await startVaultHistoryApi({
    batch: {
      points: [hour(0n, 1_000n), hour(1n, 1_010n)],
      vaultHoldings: [held(ids, at, 100n)],
      vaultEvents: [
        traded(ids, at, {
          event: 'shareTransferIn',
          tokenAmount: null,
          tokensPerShare: part(2n, 1n),
        }),
      ],
    },
  });
  const path = `/kvaults/users/${ids.wallet}/vaults/${ids.vault}/metrics/history`;
  expect((await get(`${path}?start=${isoOf(MIDNIGHT)}`)).body).toMatchObject([
    { createdOn: isoOf(MIDNIGHT + HOUR), cumulativeInterestEarned: '1' },
  ]);
});

test('the last point of an open range is the current position, in place of the running hour', async () => {
  const ids = { wallet: uniqueAddress(), vault: STEADY };
  const points = [MIDNIGHT + 11n * HOUR, MIDNIGHT + 12n * HOUR].map((at) =>
    vaultHourPoint(STEADY, at, { tokens: 1_000n }),
  );
  const vaultHoldings = [held(ids, MIDNIGHT, 100n)];
  const { get } = await startVaultHistoryApi({ batch: { points, vaultHoldings } });
  const metrics = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Record<string, string>;
  const start = `?start=${isoOf(MIDNIGHT)}`;
  const ofVault = `/kvaults/users/${ids.wallet}/vaults/${STEADY}/metrics/history`;
  for (const path of [ofVault, `/kvaults/users/${ids.wallet}/metrics/history`]) {
    const rows = (await get(`${path}${start}`)).body as Record<string, string>[];
    expect(rows.map(({ createdOn }) => createdOn)).toEqual([
      isoOf(MIDNIGHT + 11n * HOUR),
      isoOf(NOW),
    ]);
    const usd = 100 * Number(metrics['sharePrice']);
    expect(Number(rows.at(-1)?.['usdAmount']) / usd).toBeCloseTo(1, 12);
    const closed = (await get(`${path}${start}&end=${isoOf(NOW - 1n)}`)).body;
    expect(closed).toHaveLength(2);
  }
});
