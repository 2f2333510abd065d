import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import {
  type WithdrawTicket,
  withdrawTicket,
} from '#core/protocol/klend/layout/withdraw-ticket.ts';
import { withdrawTicketAddress } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenMarket, goldenReserve, goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';
import { zeroed } from '../../support/lending/lending-accounts.ts';

const MARKET = goldenMarket('Main Market').address;
const USDC = goldenReserve('Main Market', 'USDC');
const [ANNA, BEN] = [goldenUser('treasury').address, goldenUser('frank').address];
const QUEUE = `/svc-market/${MARKET}/reserves/${USDC.address}/withdraw-queue`;
const MILLION = 10n ** 12n;

type TicketInput = Partial<WithdrawTicket> & { readonly owner: Address };

const ticketsOf = (owner: Address) => `/klend/users/${owner}/withdraw-tickets`;

/** The golden cluster with tickets numbered from 5: no recorded reserve has a queue. */
function clustersWith(tickets: readonly TicketInput[], queued?: bigint) {
  const account = goldenCluster().accounts.get(USDC.address);
  if (account === undefined) throw new Error('no reserve');
  const fields = reserve.decode(account);
  const waiting = tickets.filter(({ invalid = 0 }) => invalid === 0);
  const sum = waiting.reduce((total, each) => total + (each.queuedCollateralAmount ?? 0n), 0n);
  const data = reserve.encode({
    ...fields,
    withdrawQueue: {
      queuedCollateralAmount: queued ?? sum,
      nextIssuedTicketSequenceNumber: 5n + BigInt(tickets.length),
      nextWithdrawableTicketSequenceNumber: 5n,
    },
  });
  const accounts = tickets.map((ticket, i) => {
    const sequenceNumber = 5n + BigInt(i);
    const changed = {
      ...zeroed(withdrawTicket),
      sequenceNumber,
      reserve: USDC.address,
      userDestinationLiquidityTa: toAddress(USDC.liquiditySupply),
      createdAtTimestamp: toUnixSeconds(1_700_000_000n + BigInt(i)),
      ...ticket,
    };
    const address = withdrawTicketAddress(USDC.address, sequenceNumber);
    return [
      address,
      { ...account, owner: KLEND_PROGRAM, data: withdrawTicket.encode(changed) },
    ] as const;
  });
  const changed = goldenWithAccounts([[USDC.address, { ...account, data }], ...accounts]);
  return { clusters: goldenClusters({ reader: goldenReader(changed) }), fields };
}

test('a reserve without a queue has none, and an unknown reserve is 404', async () => {
  const { get } = await goldenApi();
  expect((await get(QUEUE)).body).toMatchObject({
    reserve: USDC.address,
    queuedAmount: '0',
    waitingTickets: 0,
    tickets: [],
  });
  expect((await get(`/svc-market/${MARKET}/reserves/${ANNA}/withdraw-queue`)).status).toBe(404);
  expect((await get(ticketsOf(ANNA))).body).toEqual([]);
});

test('tickets are in the order of payment, with what is paid before them', async () => {
  const { clusters, fields } = clustersWith([
    { owner: ANNA, queuedCollateralAmount: 2n * MILLION },
    { owner: BEN, queuedCollateralAmount: 0n },
    { owner: BEN, queuedCollateralAmount: 3n * MILLION },
  ]);
  const { get } = await startApi({ clusters });
  const { status, body } = await get(QUEUE);
  expect(status).toBe(200);
  const { tickets, ...queue } = body as { tickets: readonly Record<string, string>[] };
  expect(queue).toMatchObject({ waitingTickets: 2, nextSequenceNumber: '5' });
  expect(tickets.map((each) => [each['sequenceNumber'], each['status']])).toEqual([
    ['5', 'waiting'],
    ['6', 'cancelled'],
    ['7', 'waiting'],
  ]);
  const { liquidity, collateral } = fields;
  const worth =
    (Number(liquidity.totalAvailableAmount) + Number(liquidity.borrowedAmountSf >> 60n)) /
    Number(collateral.mintTotalSupply);
  const amounts = tickets.map((each) =>
    [each['liquidityAmount'], each['liquidityAhead']].map(Number),
  );
  const expected = [
    [2e6 * worth, 0],
    [0, 0],
    [3e6 * worth, 2e6 * worth],
  ];
  for (const [i, pair] of expected.entries()) {
    for (const [j, amount] of pair.entries()) {
      expect(Math.abs((amounts[i]?.[j] ?? Number.NaN) - amount)).toBeLessThanOrEqual(
        amount / 1_000,
      );
    }
  }
  const own = (await get(ticketsOf(BEN))).body;
  expect(own).toMatchObject([{ sequenceNumber: '6' }, { sequenceNumber: '7', owner: BEN }]);
});

test('a later ticket gets only what the first leaves of the liquidity', async () => {
  const { fields } = clustersWith([]);
  const available = fields.liquidity.totalAvailableAmount;
  const { clusters } = clustersWith([
    { owner: ANNA, queuedCollateralAmount: (available * 3n) / 4n },
    { owner: BEN, queuedCollateralAmount: available },
  ]);
  const { get } = await startApi({ clusters });
  const { tickets } = (await get(QUEUE)).body as { tickets: readonly Record<string, string>[] };
  const [first, second] = tickets;
  expect(first?.['payableAmount']).toBe(first?.['liquidityAmount']);
  const both = Number(first?.['payableAmount']) + Number(second?.['payableAmount']);
  expect(both).toBeCloseTo(Number(available) / 1e6, 0);
});

test('a ticket that cannot be paid is not in the queue, but listed', async () => {
  const { clusters } = clustersWith([
    { owner: ANNA, queuedCollateralAmount: MILLION, invalid: 1 },
    { owner: BEN, queuedCollateralAmount: MILLION },
  ]);
  const { get } = await startApi({ clusters });
  expect((await get(QUEUE)).body).toMatchObject({
    waitingTickets: 1,
    tickets: [
      { status: 'unpayable', payableAmount: '0' },
      { status: 'waiting', liquidityAhead: '0' },
    ],
  });
});

test('while tickets are missing, neither the queue nor lists of wallets are served', async () => {
  const { clusters } = clustersWith(
    [{ owner: ANNA, queuedCollateralAmount: MILLION }],
    2n * MILLION,
  );
  const { get } = await startApi({ clusters });
  for (const path of [QUEUE, ticketsOf(ANNA), ticketsOf(BEN)]) {
    const { status, body } = await get(path);
    expect([status, (body as { code: string }).code]).toEqual([503, 'WITHDRAW_QUEUE_INCOMPLETE']);
  }
});
