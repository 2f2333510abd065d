import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { lendingEventKinds } from '#server/history/event-kinds.ts';
import type { EventInput } from '#server/history/schema/event-tables.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { lendingEvent } from '../../support/history/history-rows.ts';
import { LOAN, LOAN_OWNER } from '../../support/history/loan-history-rows.ts';
import {
  GOLDEN_MARKET,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import { readJson } from '../../support/http/test-api.ts';
import { referenceEncode } from '../../support/reference/reference-base58.ts';

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const PATH = `/v2/svc-market/${GOLDEN_MARKET}/transactions`;

const event = (
  number: number,
  changes: Partial<EventInput<'lendingEvent'>> = {},
): EventInput<'lendingEvent'> =>
  lendingEvent(
    { number, at: OCTOBER + BigInt(number), slot: BigInt(number) },
    {
      kind: lendingEventKinds.indexOf('deposit'),
      wallet: LOAN_OWNER,
      market: GOLDEN_MARKET,
      obligation: LOAN,
      reserve: SOL_RESERVE,
      liquidityAmount: 1_500_000_000n,
      collateralAmount: 1_250_000_000n,
      feeAmount: null,
      priceSf: sfFromInt(160n),
      solPriceSf: sfFromInt(160n),
      ...changes,
    },
  );

type Tx = {
  ixs: Record<string, unknown>[];
  timestamp: string;
  signature: string;
  rawJson?: string;
};
type Answer = { status: number; body: { result: Tx[]; paginationToken?: string } };

async function startWith(lendingEvents: readonly EventInput<'lendingEvent'>[]) {
  const api = await startHistoryApi();
  await api.writer.append({ lendingEvents });
  const post = async (body: unknown, path = PATH): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await readJson(await fetch(`${api.url}${path}`, request))) as Answer;
  };
  return { ...api, post };
}

test('transactions of one kind are listed newest first, by transaction and loan', async () => {
  const first = event(1);
  const { post, writer } = await startWith([
    first,
    {
      ...event(1, { eventIndex: 1, reserve: USDC_RESERVE, priceSf: null }),
      liquidityAmount: 2_500_000n,
    },
    event(2, { kind: lendingEventKinds.indexOf('borrow') }),
    event(3, { market: USDC_RESERVE }),
    event(4, { obligation: null, wallet: null }),
  ]);
  const json = '{"slot":1}';
  await writer.append({
    transactions: [
      {
        signature: first.signature,
        slot: toSlot(1n),
        transactionIndex: 0,
        at: toUnixSeconds(OCTOBER),
        deflated: deflateRawSync(json),
      },
    ],
  });
  const { body } = await post({ instruction: 'deposit' });
  expect(body).not.toHaveProperty('paginationToken');
  const amounts = { tokenAmount: '1.5', collateralAmount: '1.25', usdValue: '240' };
  const prices = { tokenPrice: '160', solPrice: '160' };
  const deposit = { instruction: 'deposit', reserve: SOL_RESERVE, ...amounts, ...prices };
  const inUsdc = { tokenAmount: '2.5', collateralAmount: '1250', solPrice: '160' };
  expect(body.result).toEqual([
    {
      timestamp: '2025-10-01T00:00:04.000Z',
      wallet: '1'.repeat(32),
      obligation: '1'.repeat(32),
      signature: referenceEncode(event(4).signature),
      ixs: [deposit],
    },
    {
      timestamp: '2025-10-01T00:00:01.000Z',
      wallet: LOAN_OWNER,
      obligation: LOAN,
      signature: referenceEncode(first.signature),
      ixs: [deposit, { instruction: 'deposit', reserve: USDC_RESERVE, ...inUsdc }],
    },
  ]);
  const end = new Date(Number(OCTOBER + 4n) * 1000).toISOString();
  const raw = await post({ instruction: 'deposit', end }, `${PATH}?includeRawJson=1`);
  expect(raw.body.result).toMatchObject([{ rawJson: json }]);
  const other = await post({ instruction: 'deposit' }, `${PATH}?programId=${USDC_RESERVE}`);
  expect(other.body.result).toEqual([]);
  for (const wrong of [{}, { instruction: 'x' }, { instruction: 'borrow', start: 'x' }]) {
    expect((await post(wrong)).status, JSON.stringify(wrong)).toBe(400);
  }
});

test('pages contain whole transactions, each exactly once', async () => {
  // the page limit falls between the two events of the third transaction
  const many = Array.from({ length: 999 }, (_, i) => event(i + 4));
  const two = [event(3), event(3, { eventIndex: 1 })];
  const { post } = await startWith([event(2), ...two, ...many]);
  const first = await post({ instruction: 'deposit' });
  const { paginationToken } = first.body;
  const second = await post({ instruction: 'deposit', paginationToken });
  expect(first.body.result).toHaveLength(999);
  expect(second.body.result.map(({ ixs }) => ixs.length)).toEqual([2, 1]);
  expect(second.body).not.toHaveProperty('paginationToken');
});
