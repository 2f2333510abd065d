import { expect, test } from 'vitest';
import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { farmWith, userWith } from '../../support/farms/farm-accounts.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenLoan, goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { uniqueAddress } from '../../support/history/history-rows.ts';

const ERIN = goldenUser('erin').address;
const FRANK = goldenUser('frank').address;
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** A stake of 2.5 whole tokens of a farm that belongs to neither a vault nor a reserve. */
function stakeOf(owner: Address, mint: Address) {
  const farm = uniqueAddress();
  const fields = farmWith({
    token: { mint, decimals: 6n, tokenProgram: ZERO_ADDRESS, padding: new Uint8Array(48) },
    totalActiveStakeScaled: 2_500_000n * 10n ** 18n,
    totalStakedAmount: toLamports(2_500_000n),
  });
  const stake = { owner, delegatee: owner, farmState: farm };
  const user = userWith({ ...stake, activeStakeScaled: 2_500_000n * 10n ** 18n });
  return goldenReader(
    goldenWithAccounts([
      [farm, { owner: FARMS_PROGRAM, data: farmState.encode(fields) }],
      [uniqueAddress(), { owner: FARMS_PROGRAM, data: userState.encode(user) }],
    ]),
  );
}

test.each([
  // 0.99987 USD, the price of USDC in the golden cluster
  ['has the value of staked tokens', USDC, '2.499675'],
  ['has no value of stakes if a price is unknown', uniqueAddress(), null],
])('the current point %s', async (_, mint, stakingUsd) => {
  const { get } = await startHistoryApi({ reader: stakeOf(ERIN, mint) });
  const { earn } = (await get(`/portfolio/${ERIN}`)).body as { earn: { netValue: string }[] };
  const { body } = await get(`/owners/${ERIN}/net-values/history`);
  const kvaultsUsd = earn.reduce((sum, { netValue }) => sum + Number(netValue), 0);
  expect(kvaultsUsd).toBeGreaterThan(0);
  expect(body).toEqual([
    {
      createdOn: new Date(Number(goldenCluster().at.unix) * 1000).toISOString(),
      klendUsd: expect.any(String) as string,
      strategiesUsd: null,
      kvaultsUsd: expect.any(String) as string,
      stakingUsd,
    },
  ]);
  expect(Number((body as { kvaultsUsd: string }[])[0]?.kvaultsUsd)).toBeCloseTo(kvaultsUsd, 9);
});

test('there is no current point without the value of one loan, and x-omitted has the reason', async () => {
  const loan = goldenLoan('frank');
  const raw = goldenCluster().accounts.get(loan);
  if (raw === undefined) throw new Error('no loan');
  const lost = uniqueAddress();
  const data = obligation.encode({ ...obligation.decode(raw), lendingMarket: lost });
  const reader = goldenReader(goldenWithAccounts([[loan, { owner: raw.owner, data }]]));
  const { get } = await startHistoryApi({ reader });
  const { body, headers } = await get(`/owners/${FRANK}/net-values/history`);
  expect(body).toEqual([]);
  expect(headers.get('x-omitted')).toContain(loan);
});
