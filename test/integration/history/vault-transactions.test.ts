import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import {
  farmEventKinds,
  type VaultEventKind,
  vaultEventKinds,
} from '#core/views/transactions/events/history-event.ts';
import type { StateInput } from '#server/history/schema/event-tables.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import {
  farmEvent,
  MIDNIGHT,
  pricePoint,
  uniqueAddress,
  vaultEvent,
} from '../../support/history/history-rows.ts';
import {
  SOL,
  TOKEN,
  vaultHistoryApis,
  vaultHourPoint,
  wholeToSf,
} from '../../support/history/vault-history-rows.ts';
import { readJson } from '../../support/http/test-api.ts';

const startPast = vaultHistoryApis();

const rate = (numerator: bigint, denominator = 1n) => ({ numerator, denominator });

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

const whole = (amount: bigint): bigint => amount * 1_000_000n;

type Changes = Parameters<typeof vaultEvent>[1] & { readonly does: VaultEventKind };

/** The number is the slot, and seconds after midnight. */
const event = (number: number, { does, ...changes }: Changes) =>
  vaultEvent(
    { number, at: MIDNIGHT + BigInt(number), slot: BigInt(number) },
    {
      kind: vaultEventKinds.indexOf(does),
      priceSf: wholeToSf(2n),
      solPriceSf: wholeToSf(50n),
      ...changes,
    },
  );

type Holding = StateInput<'vaultHolding'>;

const holding = (
  of: Pick<Holding, 'wallet' | 'vault'>,
  slot: bigint,
  shares: { readonly held: bigint; readonly staked: bigint },
): Holding => ({ ...of, slot: toSlot(slot), at: toUnixSeconds(MIDNIGHT + slot), ...shares });

test('transactions of a wallet are newest first, priced at their time, and know its present position', async () => {
  const [wallet, vault, gone, reserve] = [
    uniqueAddress(),
    uniqueAddress(),
    uniqueAddress(),
    uniqueAddress(),
  ];
  const of = { wallet, vault };
  const vaultEvents = [
    event(1, {
      ...of,
      does: 'deposit',
      tokenAmount: whole(11n),
      sharesAmount: whole(10n),
      tokensPerShare: rate(11n, 10n),
    }),
    event(2, { ...of, does: 'sell', tokenAmount: whole(12n), sharesAmount: whole(10n) }),
    event(3, {
      ...of,
      does: 'shareTransferIn',
      tokenAmount: null,
      sharesAmount: whole(4n),
      tokensPerShare: rate(5n, 4n),
    }),
    event(4, {
      ...of,
      does: 'withdrawFromAvailable',
      tokenAmount: whole(2n),
      sharesAmount: whole(1n),
      priceSf: null,
      solPriceSf: null,
      tokensPerShare: null,
    }),
    event(5, { ...of, does: 'investOut', reserve, tokenAmount: whole(7n), sharesAmount: null }),
    event(6, { wallet, vault: gone, does: 'shareBurn', tokenAmount: null }),
  ];
  const vaultHoldings = [
    holding(of, 1n, { held: 0n, staked: whole(10n) }),
    holding(of, 2n, { held: 0n, staked: 0n }),
    holding(of, 3n, { held: whole(4n), staked: 0n }),
    holding(of, 4n, { held: whole(3n), staked: 0n }),
  ];
  const points = [
    vaultHourPoint(vault, MIDNIGHT - 5n, { tokens: 1_500n }),
    pricePoint({ subject: TOKEN, at: MIDNIGHT - 5n, slot: 1n }, { priceSf: wholeToSf(3n) }),
    pricePoint({ subject: SOL, at: MIDNIGHT - 5n, slot: 1n }, { priceSf: wholeToSf(60n) }),
  ];
  const { get } = await startPast({ batch: { vaultEvents, vaultHoldings, points } });
  const { body } = await get(`/kvaults/users/${wallet}/transactions`);
  const prices = { tokenPrice: '2', solPrice: '50' };
  expect(body).toMatchObject([
    { instruction: 'invest', tokenAmount: '7', numberOfShares: '0', usdValue: '14' },
    {
      instruction: 'withdrawAvailable',
      ...{ tokenPrice: '3', solPrice: '60', sharePrice: '4.5' },
      ...{ tokenAmount: '2', numberOfShares: '1', usdValue: '6', latestPosition: true },
    },
    {
      instruction: 'transferIn',
      ...{ ...prices, sharePrice: '2.5', tokenAmount: '5', numberOfShares: '4', usdValue: '10' },
      latestPosition: true,
    },
    { instruction: 'sell', tokenAmount: '12', usdValue: '24', latestPosition: false },
    {
      createdOn: isoOf(MIDNIGHT + 1n),
      instruction: 'deposit',
      tokenMint: TOKEN,
      tokenAmount: '11',
      ...prices,
      sharePrice: '2.2',
      numberOfShares: '10',
      usdValue: '22',
      transaction: encodeBase58(vaultEvents[0]?.signature ?? new Uint8Array()),
      kvault: vault,
      latestPosition: false,
    },
  ]);
  expect((await get(`/kvaults/shareholders/${wallet}/transactions`)).body).toEqual(body);
  expect((await get(`/kvaults/users/${uniqueAddress()}/transactions`)).body).toEqual([]);
});

test('transactions of a vault come in pages in either order, by kind and time', async () => {
  const [vault, other] = [uniqueAddress(), uniqueAddress()];
  const count = 1_002;
  const many = Array.from({ length: count }, (_, i) =>
    event(i + 1, { vault, does: i % 2 === 0 ? 'deposit' : 'withdraw' }),
  );
  const points = [vault, other].map((each) => vaultHourPoint(each, MIDNIGHT, { tokens: 1n }));
  const vaultEvents = [...many, event(2_000, { vault: other, does: 'deposit', wallet: null })];
  const json = '{"slot":2000}';
  const raw = {
    signature: vaultEvents.at(-1)?.signature ?? new Uint8Array(),
    slot: toSlot(2_000n),
    place: 2_000,
    at: toUnixSeconds(MIDNIGHT),
    deflated: deflateRawSync(json),
  };
  const { url } = await startPast({ batch: { vaultEvents, points, transactions: [raw] } });
  const ask = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const method = 'POST';
    const answer = await readJson(
      await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) }),
    );
    return answer as {
      readonly status: number;
      readonly body: { result: { timestamp: string; wallet: string }[]; paginationToken?: string };
    };
  };
  const path = `/kvaults/vaults/${vault}/transactions`;
  const times = ({ body }: Awaited<ReturnType<typeof ask>>) =>
    body.result.map(({ timestamp }) => Date.parse(timestamp) / 1000 - Number(MIDNIGHT));
  const ascending = Array.from({ length: count }, (_, i) => i + 1);

  const first = await ask(path, {});
  const { paginationToken } = first.body;
  const second = await ask(path, { paginationToken });
  expect([...times(first), ...times(second)]).toEqual([...ascending].reverse());
  expect([first.body.result.length, second.body.paginationToken]).toEqual([1_000, undefined]);
  const some = { direction: 'asc', instruction: 'withdraw', start: isoOf(MIDNIGHT + 4n) };
  const range = { ...some, end: Number(MIDNIGHT + 8n) * 1000 };
  expect(times(await ask(path, range))).toEqual([4, 6]);

  const all = await ask('/kvaults/transactions', { instruction: 'deposit' });
  expect(times(all)).toEqual([2_000, ...ascending.filter((i) => i % 2 === 1).reverse()]);
  expect(all.body.result[0]?.wallet).toBe('1'.repeat(32));
  expect(all.body.result[0]).not.toHaveProperty('rawJson');
  const told = await ask('/kvaults/transactions?includeRawJson=yes', { instruction: 'deposit' });
  const [newest, next] = told.body.result;
  expect([newest, next]).toMatchObject([{ rawJson: json }, all.body.result[1]]);
  expect((await ask(`/kvaults/vaults/${uniqueAddress()}/transactions`, {})).body).toEqual({
    result: [],
  });
  for (const body of [{ instruction: 'x' }, { paginationToken: 'x' }, { start: 'x' }]) {
    expect((await ask(path, body)).status, JSON.stringify(body)).toBe(400);
  }
  expect((await ask('/kvaults/transactions', {})).status).toBe(400);
});

test('farm events of a wallet and of a farm are told in whole tokens and USD, in pages', async () => {
  const steady = goldenReader().vault(toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri'));
  const { vaultFarm: farm, sharesMint, sharesMintDecimals } = steady?.fields ?? {};
  if (steady === undefined || farm === undefined || sharesMint === undefined) throw new Error();
  const unit = 10n ** (sharesMintDecimals ?? 0n);
  const wallet = uniqueAddress();
  const done = (number: number, kind: (typeof farmEventKinds)[number], amount: bigint) =>
    farmEvent(
      { number, at: MIDNIGHT + BigInt(number), slot: BigInt(number) },
      { wallet, farm, vault: steady.address, kind: farmEventKinds.indexOf(kind), amount },
    );
  const farmEvents = [
    done(1, 'stake', 3n * unit),
    done(2, 'unstake', 2n * unit * 10n ** 18n),
    done(3, 'withdrawUnstaked', unit / 2n),
  ];
  // 1,000 shares of six decimals worth 1,500 tokens of 2 USD, whatever the account says
  const points = [
    vaultHourPoint(steady.address, MIDNIGHT - 5n, { tokens: 1_500n, priceSf: wholeToSf(2n) }),
  ];
  const { get } = await startPast({ batch: { farmEvents, points } });
  const expected = [
    { instruction: 'stake', tokenAmount: '3', usdAmount: '9' },
    { instruction: 'unstake', tokenAmount: '2', usdAmount: '6' },
    { instruction: 'withdrawUnstakedDeposits', tokenAmount: '0.5', usdAmount: '1.5' },
  ].map((row, i) => ({
    createdOn: isoOf(MIDNIGHT + BigInt(i + 1)),
    transactionSignature: encodeBase58(farmEvents[i]?.signature ?? new Uint8Array()),
    ...row,
  }));
  const ofUser = expected.map((row) => ({ ...row, farm, token: sharesMint }));
  type Page = { result: unknown[]; paginationToken?: string };
  const pageOf = async (path: string) => (await get(path)).body as Page;
  const user = `/farms/users/${wallet}/transactions`;
  expect(await pageOf(user)).toEqual({ result: ofUser });
  const first = await pageOf(`${user}?limit=2`);
  expect(first.result).toEqual(ofUser.slice(0, 2));
  const rest = await pageOf(`${user}?limit=2&paginationToken=${first.paginationToken}`);
  expect(rest).toEqual({ result: ofUser.slice(2) });
  expect(await pageOf(`${user}?limit=1&noPagination=true`)).toEqual({ result: ofUser });
  expect(await pageOf(`${user}?sort=desc`)).toEqual({ result: [...ofUser].reverse() });
  expect(await pageOf(`/farms/${farm}/transactions`)).toEqual({ result: [...expected].reverse() });
  expect(await pageOf(`/farms/${farm}/transactions?sort=asc`)).toEqual({ result: expected });
  expect((await get(`${user}?paginationToken=x`)).status).toBe(400);
});
