import { expect, test } from 'vitest';
import { toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenLoan, goldenMarket, goldenReserve } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';

const MARKET = goldenMarket('Main Market').address;
const LOAN = goldenLoan('frank');
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const DESTINATION = goldenReserve('Main Market', 'USDC').liquiditySupply;
const PATH = `/v2/svc-market/${MARKET}/obligations-with-open-borrow-orders`;

type Order = Obligation['headBorrowOrder'];

/** The golden cluster in which frank's loan has the orders. */
function clustersWith(
  orders: (now: bigint, empty: Order) => Pick<Obligation, 'headBorrowOrder' | 'tailBorrowOrders'>,
  hasAllPositions = true,
) {
  const { accounts, at } = goldenCluster();
  const account = accounts.get(LOAN);
  if (account === undefined) throw new Error('no such loan');
  const fields = obligation.decode(account);
  const changed = obligation.encode({ ...fields, ...orders(at.unix, fields.headBorrowOrder) });
  const reader = goldenReader(goldenWithAccounts([[LOAN, { ...account, data: changed }]]));
  return goldenClusters({ reader, hasAllPositions: () => hasAllPositions });
}

const orderUntil = (empty: Order, until: bigint, remaining: bigint): Order => ({
  ...empty,
  debtLiquidityMint: USDC,
  remainingDebtAmount: toLamports(remaining),
  requestedDebtAmount: toLamports(2_000_000n),
  filledDebtDestination: toAddress(DESTINATION),
  maxBorrowRateBps: 1250,
  minDebtTermSeconds: 86_400n,
  fillableUntilTimestamp: toUnixSeconds(until),
  placedAtTimestamp: toUnixSeconds(1_700_000_000n),
  lastUpdatedAtTimestamp: toUnixSeconds(1_700_000_500n),
  active: 1,
});

test('orders that can still be filled are listed, expired and filled ones are not', async () => {
  let now = 0n;
  const clusters = clustersWith((unix, empty) => {
    now = unix;
    return {
      headBorrowOrder: orderUntil(empty, unix, 1_500_000n),
      tailBorrowOrders: [orderUntil(empty, unix - 1n, 7n), orderUntil(empty, unix + 9n, 0n)],
    };
  });
  const { get } = await startApi({ clusters });
  const { status, body } = await get(PATH);
  const { obligations } = body as { obligations: { owner: string; deposits: unknown[] }[] };
  expect(status).toBe(200);
  expect(obligations).toEqual([
    {
      obligationPubkey: LOAN,
      owner: expect.any(String),
      deposits: expect.any(Array),
      debtLiquidityMint: USDC,
      remainingDebtAmount: '1500000',
      requestedDebtAmount: '2000000',
      filledDebtDestination: DESTINATION,
      maxBorrowRateBps: 1250,
      minDebtTermSeconds: '86400',
      fillableUntilTimestamp: String(now),
      placedAtTimestamp: '1700000000',
      lastUpdatedAtTimestamp: '1700000500',
    },
  ]);
  const loan = (await get(`/svc-market/${MARKET}/users/${obligations[0]?.owner}/obligations`))
    .body as { state: { deposits: { depositReserve: string; depositedAmount: string }[] } }[];
  const deposits = loan[0]?.state.deposits.filter(
    ({ depositReserve }) => depositReserve !== ZERO_ADDRESS,
  );
  expect(obligations[0]?.deposits).toEqual(
    deposits?.map(({ depositReserve, depositedAmount }) => ({ depositReserve, depositedAmount })),
  );
});

test('a market without orders and an unknown market have none', async () => {
  const { get } = await goldenApi();
  const unknown = PATH.replace(MARKET, goldenMarket('JLP Market').address);
  for (const path of [PATH, unknown, PATH.replace(MARKET, ZERO_ADDRESS)]) {
    expect((await get(path)).body).toEqual({ obligations: [] });
  }
});

test('there are no lists and totals of loans while only some are followed', async () => {
  const none = (_: bigint, empty: Order) => ({
    headBorrowOrder: empty,
    tailBorrowOrders: [empty, empty],
  });
  const { get } = await startApi({ clusters: clustersWith(none, false) });
  for (const path of [PATH, `/svc-market/${MARKET}/leverage/metrics`]) {
    const { status, body } = await get(path);
    expect([status, body]).toEqual([
      503,
      { code: 'POSITIONS_INCOMPLETE', error: expect.stringMatching(/GET \/status/) },
    ]);
  }
});
