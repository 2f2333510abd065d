import { expect, test } from 'vitest';
import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { farmEventKinds } from '#server/history/event-kinds.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import {
  farmEvent,
  MIDNIGHT,
  reservePoint,
  uniqueAddress,
} from '../../support/history/history-rows.ts';
import {
  startVaultHistoryApi,
  vaultHourPoint,
  wholeToSf,
} from '../../support/history/vault-history-rows.ts';

/** A stake of shares some seconds after midnight, and samples of the vault at other times. */
async function stakeAt(seconds: bigint, points: readonly VaultSample[]) {
  const steady = goldenReader().vault(goldenVault('Steady USDC').address);
  if (steady === undefined) throw new Error('no golden vault');
  const { vaultFarm: farm, sharesMintDecimals } = steady.fields;
  const wallet = uniqueAddress();
  const kind = farmEventKinds.indexOf('stake');
  const amount = 5n * 10n ** sharesMintDecimals;
  const farmEvents = [
    farmEvent({ number: 1, at: MIDNIGHT + seconds, slot: 9n }, { wallet, farm, kind, amount }),
  ];
  const batch = {
    farmEvents,
    points: points.map(({ at, price }) =>
      vaultHourPoint(steady.address, MIDNIGHT + at, { tokens: 1_500n, priceSf: price }),
    ),
  };
  const { get } = await startVaultHistoryApi({ batch });
  return await get(`/farms/users/${wallet}/transactions`);
}

type VaultSample = { readonly at: bigint; readonly price: bigint | null };

test.each([
  ['older than two hours', [{ at: 0n, price: wholeToSf(2n) }], 7_201n],
  ['without a price', [{ at: 0n, price: null }], 60n],
])('a stake after a sample %s has no value, which is not 0', async (_, points, seconds) => {
  const { status, body } = await stakeAt(seconds, points);
  expect(status).toBe(503);
  expect(JSON.stringify(body)).toMatch(/the price of .* at 2025-.* is not recorded/);
});

test('a stake two hours after the last sample has its value', async () => {
  const { status, body } = await stakeAt(7_200n, [{ at: 0n, price: wholeToSf(2n) }]);
  expect(status).toBe(200);
  expect(body).toMatchObject({ result: [{ tokenAmount: '5', usdAmount: '15' }] });
});

test('a stake in a farm of a reserve has its own price, also if the sample of the reserve has none', async () => {
  const reserve = goldenReader()
    .markets()
    .flatMap(({ address }) => goldenReader().reservesOf(address))
    .find(({ fields }) => fields.farmCollateral !== ZERO_ADDRESS);
  if (reserve === undefined) throw new Error('no golden reserve with a farm');
  const { farmCollateral: farm, liquidity } = reserve.fields;
  const stake = (number: number, wallet: Address, priceSf: bigint | null) =>
    farmEvent(
      { number, at: MIDNIGHT + 60n, slot: 9n },
      {
        ...{ wallet, farm, userState: uniqueAddress(), priceSf },
        kind: farmEventKinds.indexOf('setStake'),
        amount: 5n * 10n ** liquidity.mintDecimals,
      },
    );
  const [priced, unpriced, zero] = [uniqueAddress(), uniqueAddress(), uniqueAddress()];
  const farmEvents = [
    stake(1, priced, wholeToSf(3n)),
    stake(2, unpriced, null),
    stake(3, zero, 0n),
  ];
  // two tokens for each cToken, of a reserve that was never refreshed
  const point = reservePoint(
    { subject: reserve.address, at: MIDNIGHT, slot: 1n },
    {
      ...{ resolution: 'hour', priceSf: 0n, oraclePriceSf: wholeToSf(4n) },
      ...{ available: 2_000n, borrowedSf: 0n, collateralSupply: 1_000n },
      ...{ protocolFeesSf: 0n, referrerFeesSf: 0n, pendingReferrerFeesSf: 0n },
    },
  );
  const { get } = await startVaultHistoryApi({ batch: { farmEvents, points: [point] } });
  const worthOf = async (wallet: Address) =>
    (await get(`/farms/users/${wallet}/transactions`)).body;
  expect(await worthOf(priced)).toMatchObject({ result: [{ tokenAmount: '5', usdAmount: '30' }] });
  expect(await worthOf(unpriced)).toMatchObject({ result: [{ usdAmount: '40' }] });
  expect(await worthOf(zero)).toMatchObject({ result: [{ usdAmount: '40' }] });
});

test('a stake that the lending program sets is listed by its change', async () => {
  const steady = goldenReader().vault(goldenVault('Steady USDC').address);
  const { vaultFarm: farm, sharesMintDecimals } = steady?.fields ?? {};
  if (steady === undefined || farm === undefined) throw new Error();
  const unit = 10n ** (sharesMintDecimals ?? 0n);
  const [wallet, first, second] = [uniqueAddress(), uniqueAddress(), uniqueAddress()];
  const setStake = (number: number, userState: typeof first, stake: bigint) =>
    farmEvent(
      { number, at: MIDNIGHT + BigInt(number), slot: BigInt(number) },
      {
        wallet,
        farm,
        userState,
        kind: farmEventKinds.indexOf('setStake'),
        amount: stake * unit,
      },
    );
  const farmEvents = [
    setStake(1, first, 5n),
    setStake(2, second, 100n),
    setStake(3, first, 8n),
    setStake(4, first, 2n),
    setStake(5, second, 0n),
  ];
  const points = [
    vaultHourPoint(steady.address, MIDNIGHT - 5n, { tokens: 1_500n, priceSf: wholeToSf(2n) }),
  ];
  const { get } = await startVaultHistoryApi({ batch: { farmEvents, points } });
  const amountsOf = async (path: string) => {
    const { result, paginationToken } = (await get(path)).body as {
      result: { tokenAmount: string; usdAmount: string }[];
      paginationToken?: string;
    };
    return { paginationToken, amounts: result.map(({ tokenAmount }) => tokenAmount) };
  };
  const changes = ['5', '100', '3', '-6', '-100'];
  const user = `/farms/users/${wallet}/transactions`;
  expect((await amountsOf(user)).amounts).toEqual(changes);
  expect((await amountsOf(`/farms/${farm}/transactions`)).amounts).toEqual(changes.toReversed());
  // The previous event of a page's first row is on the page before.
  const { paginationToken } = await amountsOf(`${user}?limit=3`);
  const next = await amountsOf(`${user}?limit=3&paginationToken=${paginationToken}`);
  expect(next.amounts).toEqual(['-6', '-100']);
  const { result } = (await get(user)).body as { result: { usdAmount: string }[] };
  expect(result.map(({ usdAmount }) => usdAmount)).toEqual(['15', '300', '9', '-18', '-300']);
});
