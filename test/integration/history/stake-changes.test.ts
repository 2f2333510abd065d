import { expect, test } from 'vitest';
import { farmEventKinds } from '#server/history/event-kinds.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { farmEvent, MIDNIGHT, uniqueAddress } from '../../support/history/history-rows.ts';
import {
  startVaultHistoryApi,
  vaultHourPoint,
  wholeToSf,
} from '../../support/history/vault-history-rows.ts';

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
