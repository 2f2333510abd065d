import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { lendingEventKinds } from '#server/history/event-kinds.ts';
import type { EventInput } from '#server/history/schema/event-tables.ts';
import { goldenLoan, goldenVault } from '../../support/golden/golden-addresses.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { lendingEvent } from '../../support/history/history-rows.ts';
import { LOAN, LOAN_OWNER, loanState } from '../../support/history/loan-history-rows.ts';
import {
  GOLDEN_MARKET,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import { referenceEncode } from '../../support/reference/reference-base58.ts';

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const SOL_MINT = toAddress('So11111111111111111111111111111111111111112');
const USDC_MINT = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const OTHER_MARKET = goldenVault('Steady USDC').address;
const OTHER_LOAN = goldenLoan('frank');

const event = (
  number: number,
  kind: (typeof lendingEventKinds)[number],
  changes: Partial<EventInput<'lendingEvent'>> = {},
): EventInput<'lendingEvent'> =>
  lendingEvent(
    { number, at: OCTOBER + BigInt(number), slot: BigInt(number) },
    {
      kind: lendingEventKinds.indexOf(kind),
      wallet: LOAN_OWNER,
      market: GOLDEN_MARKET,
      obligation: LOAN,
      reserve: SOL_RESERVE,
      mint: SOL_MINT,
      liquidityAmount: 1_500_000_000n,
      collateralAmount: null,
      feeAmount: null,
      priceSf: sfFromInt(160n),
      solPriceSf: sfFromInt(160n),
      ...changes,
    },
  );

const usdc = { reserve: USDC_RESERVE, mint: USDC_MINT, priceSf: null, solPriceSf: null };
const seized = { collateralAmount: 4_000_000n, redeemedAmount: 1_000_000n };

async function startListed() {
  const api = await startHistoryApi();
  await api.writer.append({
    lendingEvents: [
      event(1, 'initObligation', { reserve: null, mint: null, liquidityAmount: null }),
      event(2, 'deposit', { collateralAmount: 1n }),
      event(3, 'borrow', { ...usdc, liquidityAmount: 70_250_000n }),
      event(4, 'liquidationWithdraw', { ...seized, liquidityAmount: 2_000_000n, eventIndex: 1 }),
      event(4, 'liquidate', { ...seized, wallet: OTHER_LOAN, eventIndex: 2 }),
      event(5, 'deposit', { obligation: OTHER_LOAN }),
      event(6, 'repay', { market: OTHER_MARKET }),
      event(7, 'depositReserveLiquidity', { obligation: null }),
    ],
    obligationStates: [loanState({ at: OCTOBER + 2n, slot: 2n, tag: 1n })],
  });
  return api;
}

const ofLoan = `/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}/transactions`;
const ofWallet = `/v2/svc-market/users/${LOAN_OWNER}/transactions`;
const inMarket = `/v2/svc-market/${GOLDEN_MARKET}/users/${LOAN_OWNER}/transactions`;

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateral';
const BORROW = 'borrowObligationLiquidity';
const LIQUIDATION = 'liquidateObligationAndRedeemReserveCollateral';

type Tx = { transactionName: string };
const namesIn = (list: unknown) => (list as Tx[]).map(({ transactionName }) => transactionName);

describe('loan transactions', () => {
  test('of one loan are listed oldest first with historical amounts and prices', async () => {
    const { get } = await startListed();
    const { transactions } = (await get(ofLoan)).body as { transactions: Tx[] };
    expect(namesIn(transactions)).toEqual([DEPOSIT, BORROW, LIQUIDATION]);
    const signature = new Uint8Array(64).fill(2).fill(0, 0, 1);
    expect(transactions[0]).toEqual({
      createdOn: '2025-10-01T00:00:02.000Z',
      timestamp: Number(OCTOBER + 2n) * 1000,
      transactionSignature: referenceEncode(signature),
      transactionName: 'depositReserveLiquidityAndObligationCollateral',
      transactionDisplayName: 'Deposit',
      liquidityToken: 'SOL',
      liquidityTokenMint: SOL_MINT,
      liquidityTokenAmount: '1.5',
      liquidityTokenPrice: '160',
      solPrice: '160',
      liquidityUsdValue: '240',
      isLiquidationWithdrawal: false,
      isSecondPartOfCompositeIx: false,
      obligation: LOAN,
      obligationType: 'Multiply',
    });
    // no price, because there is none for that time
    expect(transactions[1]).toMatchObject({
      liquidityToken: 'USDC',
      liquidityTokenAmount: '70.25',
    });
    expect(transactions[1]).not.toHaveProperty('liquidityUsdValue');
    // a quarter of the cTokens was redeemed for 0.002 SOL
    expect(transactions[2]).toMatchObject({
      liquidityTokenAmount: '0.008',
      isLiquidationWithdrawal: true,
      isSecondPartOfCompositeIx: true,
    });
  });

  test('are listed newest first on request', async () => {
    const { get } = await startListed();
    const { transactions } = (await get(`${ofLoan}?sort=desc`)).body as { transactions: Tx[] };
    expect(namesIn(transactions)).toEqual([LIQUIDATION, BORROW, DEPOSIT]);
    expect((await get(`${ofLoan}?sort=up`)).status).toBe(400);
  });

  test('of a wallet are listed for one market or for all', async () => {
    const { get } = await startListed();
    const lists = (await get(inMarket)).body as Record<string, unknown>;
    expect(Object.keys(lists).sort()).toEqual([OTHER_LOAN, LOAN].sort());
    expect(namesIn(lists[LOAN])).toEqual([DEPOSIT, BORROW, LIQUIDATION]);
    expect(namesIn(lists[OTHER_LOAN])).toEqual([DEPOSIT]);
    const markets = (await get(ofWallet)).body as { market: string; obligations: object }[];
    expect(markets.map(({ market }) => market)).toEqual([GOLDEN_MARKET, OTHER_MARKET]);
    expect(markets[0]?.obligations).toEqual(lists);
  });

  test('of an unknown wallet are empty', async () => {
    const { get } = await startListed();
    const unknown = (path: string) =>
      path.replace(LOAN, SOL_RESERVE).replace(LOAN_OWNER, SOL_RESERVE);
    expect((await get(unknown(ofLoan))).body).toEqual({ transactions: [] });
    expect((await get(unknown(ofWallet))).body).toEqual([]);
    expect((await get(unknown(inMarket))).body).toEqual({});
  });

  test('a request for log prices is rejected', async () => {
    const { get } = await startListed();
    expect((await get(`${ofLoan}?useLogPrices=false`)).status).toBe(200);
    expect(await get(`${ofLoan}?useLogPrices=true`)).toMatchObject({
      status: 400,
      body: { details: [{ path: ['useLogPrices'] }] },
    });
  });

  test('responses match the schemas of the contract', async () => {
    const file = new URL('../../contract/extended.openapi.json', import.meta.url);
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')) as object, 'contract');
    const { get } = await startListed();
    for (const [name, path] of [
      ['ObligationTxList', ofLoan],
      ['UserLendTxsAllMarkets', ofWallet],
      ['UserLendTxsByObligation', inMarket],
    ] as const) {
      const fits = ajv.compile({ $ref: `contract#/components/schemas/${name}` });
      expect(fits((await get(path)).body), JSON.stringify(fits.errors)).toBe(true);
    }
  });
});
