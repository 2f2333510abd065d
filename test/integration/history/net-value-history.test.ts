import { expect, test } from 'vitest';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { SAMPLES_SINCE_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import type { StateInput } from '#server/history/schema/event-tables.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import {
  MIDNIGHT,
  pricePoint,
  uniqueAddress,
  vaultEvent,
} from '../../support/history/history-rows.ts';
import { closedLoan, LOAN_OWNER, loanState } from '../../support/history/loan-history-rows.ts';
import {
  goldenReservePoint,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import {
  SOL,
  startVaultHistoryApi,
  vaultHourPoint,
} from '../../support/history/vault-history-rows.ts';

const HOUR = 3_600n;
const DAY = 86_400n;
const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

const VAULT = uniqueAddress();

type HourParts = { readonly sol?: bigint; readonly without?: readonly ('usdc' | 'vault')[] };

/** The last samples before the full hour: SOL, 150 USD by default, USDC at 1 USD, and a vault whose share is 1.1 USD. */
function hour(i: bigint, { sol = 150n, without = [] }: HourParts = {}): SeriesPoint[] {
  const when = { at: MIDNIGHT + i * HOUR, slot: MIDNIGHT + i * HOUR };
  const resolution = 'hour' as const;
  const price = sfFromInt(sol);
  const usdc = { reserve: USDC_RESERVE, ...when, resolution, available: 10n ** 9n };
  return [
    goldenReservePoint({ reserve: SOL_RESERVE, ...when, resolution, available: 10n ** 12n, price }),
    pricePoint({ subject: SOL, ...when }, { resolution, priceSf: price }),
    ...(without.includes('usdc') ? [] : [goldenReservePoint(usdc)]),
    ...(without.includes('vault') ? [] : [vaultHourPoint(VAULT, when.at, { tokens: 1_100n })]),
  ];
}

/** 2 SOL deposited and 100 USDC borrowed, from a time on. */
const loan = (at: bigint, obligation = uniqueAddress()) =>
  loanState({
    at,
    slot: at,
    obligation,
    deposits: [[SOL_RESERVE, 2_000_000_000n]],
    debts: [[USDC_RESERVE, 100_000_000n]],
  });

/** Half of the shares are staked. */
const shares = (at: bigint, whole: bigint): StateInput<'vaultHolding'> => ({
  wallet: LOAN_OWNER,
  vault: VAULT,
  slot: toSlot(at),
  at: toUnixSeconds(at),
  held: whole * 500_000n,
  staked: whole * 500_000n,
});

const point = (at: bigint, klendUsd: string, kvaultsUsd: string) => ({
  createdOn: isoOf(at),
  klendUsd,
  strategiesUsd: null,
  kvaultsUsd,
  stakingUsd: null,
});

async function getPast(batch: Batch, [start, end]: readonly [bigint, bigint]) {
  const { get } = await startVaultHistoryApi({ batch });
  const path = `/owners/${LOAN_OWNER}/net-values/history`;
  return await get(`${path}?start=${isoOf(start)}&end=${isoOf(end)}`);
}

test('a point adds up loans and vault shares, and is zero without positions', async () => {
  const [one, two] = [uniqueAddress(), uniqueAddress()];
  const { body, headers } = await getPast(
    {
      points: [...[0n, 1n, 2n, 4n, 5n].flatMap((i) => hour(i)), ...hour(3n, { sol: 200n })],
      obligationStates: [
        loan(MIDNIGHT + 5n, one),
        loan(MIDNIGHT + 2n * HOUR + 5n, two),
        {
          ...closedLoan({ at: MIDNIGHT + 3n * HOUR + 5n, slot: MIDNIGHT + 3n * HOUR + 5n }),
          obligation: one,
        },
        // another wallet takes the other loan over
        { ...loan(MIDNIGHT + 4n * HOUR + 5n, two), wallet: uniqueAddress() },
      ],
      vaultHoldings: [shares(MIDNIGHT + HOUR + 5n, 100n), shares(MIDNIGHT + 4n * HOUR + 5n, 0n)],
    },
    [MIDNIGHT - DAY, MIDNIGHT + 6n * HOUR],
  );
  expect(body).toEqual([
    point(MIDNIGHT + HOUR, '200', '0'),
    point(MIDNIGHT + 2n * HOUR, '200', '110'),
    point(MIDNIGHT + 3n * HOUR, '600', '110'),
    point(MIDNIGHT + 4n * HOUR, '200', '110'),
    point(MIDNIGHT + 5n * HOUR, '0', '0'),
  ]);
  expect(headers.get('x-gaps')).toBeNull();
});

test('a time at which a position has no sample has no point and is a gap', async () => {
  const batch = {
    points: [
      ...[0n, 1n, 3n, 5n, 7n].flatMap((i) => hour(i)),
      ...hour(2n, { without: ['usdc'] }),
      ...hour(6n, { without: ['vault'] }),
      // nothing at 4
    ],
    obligationStates: [loan(MIDNIGHT + 5n, uniqueAddress())],
    vaultHoldings: [shares(MIDNIGHT + 5n, 100n)],
  };
  const { body, headers } = await getPast(batch, [MIDNIGHT, MIDNIGHT + 8n * HOUR]);
  expect(body).toEqual([1n, 3n, 5n, 7n].map((i) => point(MIDNIGHT + i * HOUR, '200', '110')));
  expect(headers.get('x-gaps')).toBe(`${isoOf(MIDNIGHT + HOUR)}/${isoOf(MIDNIGHT + 7n * HOUR)}`);
});

test('that a wallet has nothing is not claimed of a time without samples', async () => {
  const batch = {
    points: [1n, 2n, 5n].flatMap((i) => hour(i)),
    vaultHoldings: [shares(MIDNIGHT + 5n, 100n), shares(MIDNIGHT + HOUR + 5n, 0n)],
  };
  const { body, headers } = await getPast(batch, [MIDNIGHT, MIDNIGHT + 6n * HOUR]);
  expect(body).toEqual([
    point(MIDNIGHT + HOUR, '0', '110'),
    point(MIDNIGHT + 2n * HOUR, '0', '0'),
    point(MIDNIGHT + 5n * HOUR, '0', '0'),
  ]);
  expect(headers.get('x-gaps')).toBe(
    `${isoOf(MIDNIGHT + 2n * HOUR)}/${isoOf(MIDNIGHT + 5n * HOUR)}`,
  );
});

test('for more than 90 days, points are daily', async () => {
  const obligationStates = [loan(MIDNIGHT - 3n * DAY + 5n)];
  const points = Array.from({ length: 60 }, (_, i) => hour(BigInt(i) - 70n)).flat();
  const { body } = await getPast({ points, obligationStates }, [MIDNIGHT - 100n * DAY, MIDNIGHT]);
  expect(body).toEqual([2n, 1n].map((days) => point(MIDNIGHT - days * DAY, '200', '0')));
});

test('a wallet that never had a position has no points', async () => {
  const { get } = await startVaultHistoryApi({ batch: { points: hour(1n) } });
  const { status, body, headers } = await get(`/owners/${uniqueAddress()}/net-values/history`);
  expect([status, body, headers.get('x-gaps')]).toEqual([200, [], null]);
});

test('changes from before the recording are refused, and later ranges are answered', async () => {
  const begin = MIDNIGHT + HOUR + 5n;
  const { get } = await startVaultHistoryApi({
    batch: {
      points: [0n, 1n, 2n, 3n].flatMap((i) => hour(i)),
      vaultHoldings: [shares(begin, 100n)],
      vaultEvents: [
        vaultEvent(
          { number: 1, at: MIDNIGHT - DAY, slot: MIDNIGHT - DAY },
          { wallet: LOAN_OWNER, vault: VAULT },
        ),
      ],
      checkpoint: {
        name: SAMPLES_SINCE_CHECKPOINT,
        direction: 'older',
        slot: toSlot(begin),
        at: toUnixSeconds(begin),
      },
    },
  });
  const path = `/owners/${LOAN_OWNER}/net-values/history?end=${isoOf(MIDNIGHT + 3n * HOUR)}`;
  const refused = await get(path);
  expect(refused).toMatchObject({ status: 503, body: { code: 'HISTORY_INCOMPLETE' } });
  const { body } = await get(`${path}&start=${isoOf(begin)}`);
  expect(body).toEqual([point(MIDNIGHT + 2n * HOUR, '0', '110')]);
});
