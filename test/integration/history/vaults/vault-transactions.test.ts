import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { VaultEventKind } from '#core/views/transactions/events/history-event.ts';
import { farmEventKinds, vaultEventKinds } from '#server/history/event-kinds.ts';
import type { StateInput } from '#server/history/schema/event-tables.ts';
import { goldenVault } from '../../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../../support/golden/golden-reader.ts';
import {
  farmEvent,
  MIDNIGHT,
  pricePoint,
  uniqueAddress,
  vaultEvent,
} from '../../../support/history/history-rows.ts';
import {
  SOL,
  startVaultHistoryApi,
  TOKEN,
  vaultHourPoint,
  wholeToSf,
} from '../../../support/history/vault-history-rows.ts';
import { readJson } from '../../../support/http/test-api.ts';

const rate = (numerator: bigint, denominator = 1n) => ({ numerator, denominator });

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

const whole = (amount: bigint): bigint => amount * 1_000_000n;

type Changes = Parameters<typeof vaultEvent>[1] & { readonly event: VaultEventKind };

/** `number` is the slot and the seconds after midnight. */
const eventRow = (number: number, { event, ...changes }: Changes) =>
  vaultEvent(
    { number, at: MIDNIGHT + BigInt(number), slot: BigInt(number) },
    {
      kind: vaultEventKinds.indexOf(event),
      priceSf: wholeToSf(2n),
      solPriceSf: wholeToSf(50n),
      ...changes,
    },
  );

type Holding = StateInput<'vaultHolding'>;

const holding = (
  position: Pick<Holding, 'wallet' | 'vault'>,
  slot: bigint,
  shares: { readonly held: bigint; readonly staked: bigint },
): Holding => ({ ...position, slot: toSlot(slot), at: toUnixSeconds(MIDNIGHT + slot), ...shares });

test('transactions of a wallet are newest first, with historical prices and latestPosition', async () => {
  const [wallet, vault, unknownVault, reserve] = [
    uniqueAddress(),
    uniqueAddress(),
    uniqueAddress(),
    uniqueAddress(),
  ];
  const position = { wallet, vault };
  const vaultEvents = [
    eventRow(1, {
      ...position,
      event: 'deposit',
      tokenAmount: whole(11n),
      sharesAmount: whole(10n),
      tokensPerShare: rate(11n, 10n),
    }),
    eventRow(2, { ...position, event: 'sell', tokenAmount: whole(12n), sharesAmount: whole(10n) }),
    eventRow(3, {
      ...position,
      event: 'shareTransferIn',
      tokenAmount: null,
      sharesAmount: whole(4n),
      tokensPerShare: rate(5n, 4n),
    }),
    eventRow(4, {
      ...position,
      event: 'withdrawFromAvailable',
      tokenAmount: whole(2n),
      sharesAmount: whole(1n),
      priceSf: null,
      solPriceSf: null,
      tokensPerShare: null,
    }),
    eventRow(5, {
      ...position,
      event: 'investOut',
      reserve,
      tokenAmount: whole(7n),
      sharesAmount: null,
    }),
    eventRow(6, { wallet, vault: unknownVault, event: 'shareBurn', tokenAmount: null }),
  ];
  const vaultHoldings = [
    holding(position, 1n, { held: 0n, staked: whole(10n) }),
    holding(position, 2n, { held: 0n, staked: 0n }),
    holding(position, 3n, { held: whole(4n), staked: 0n }),
    holding(position, 4n, { held: whole(3n), staked: 0n }),
  ];
  const points = [
    vaultHourPoint(vault, MIDNIGHT - 5n, { tokens: 1_500n }),
    pricePoint({ subject: TOKEN, at: MIDNIGHT - 5n, slot: 1n }, { priceSf: wholeToSf(3n) }),
    pricePoint({ subject: SOL, at: MIDNIGHT - 5n, slot: 1n }, { priceSf: wholeToSf(60n) }),
  ];
  const { get } = await startVaultHistoryApi({ batch: { vaultEvents, vaultHoldings, points } });
  const { body } = await get(`/kvaults/users/${wallet}/transactions`);
  const prices = { tokenPrice: '2', solPrice: '50' };
  expect(body).toMatchObject([
    { instruction: 'invest', tokenAmount: '7', numberOfShares: '0', usdValue: '14' },
    {
      instruction: 'withdrawAvailable',
      tokenPrice: '3',
      solPrice: '60',
      sharePrice: '4.5',
      tokenAmount: '2',
      numberOfShares: '1',
      usdValue: '6',
      latestPosition: true,
    },
    {
      instruction: 'transferIn',
      ...prices,
      sharePrice: '2.5',
      tokenAmount: '5',
      numberOfShares: '4',
      usdValue: '10',
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

test('a transaction without a price is refused while nothing is sampled, as one from before the samples is', async () => {
  const wallet = uniqueAddress();
  const unpriced = { priceSf: null, solPriceSf: null, tokensPerShare: null };
  const vault = goldenVault('Steady USDC').address;
  const sold = { wallet, vault, event: 'sell', ...unpriced } as const;
  const vaultEvents = [eventRow(1, { ...sold, tokenAmount: whole(2n), sharesAmount: whole(1n) })];
  const { get } = await startVaultHistoryApi({ batch: { vaultEvents } });
  const { status, body } = await get(`/kvaults/users/${wallet}/transactions`);
  expect({ status, body }).toMatchObject({ status: 503, body: { code: 'HISTORY_INCOMPLETE' } });
});

test('shares that were sold and bought again between two recorded balances begin a new position', async () => {
  const [wallet, vault] = [uniqueAddress(), uniqueAddress()];
  const position = { wallet, vault };
  const shares = { tokenAmount: whole(11n), sharesAmount: whole(10n) };
  const vaultEvents = [
    eventRow(1, { ...position, event: 'deposit', ...shares }),
    eventRow(2, { ...position, event: 'withdraw', ...shares }),
    eventRow(4, { ...position, event: 'deposit', ...shares }),
  ];
  const vaultHoldings = [
    holding(position, 1n, { held: whole(10n), staked: 0n }),
    holding(position, 5n, { held: 0n, staked: whole(10n) }),
  ];
  const points = [vaultHourPoint(vault, MIDNIGHT - 5n, { tokens: 1_500n })];
  const { get } = await startVaultHistoryApi({ batch: { vaultEvents, vaultHoldings, points } });
  const rows = (await get(`/kvaults/users/${wallet}/transactions`)).body as {
    instruction: string;
    latestPosition: boolean;
  }[];
  expect(rows.map(({ instruction, latestPosition }) => [instruction, latestPosition])).toEqual([
    ['deposit', true],
    ['withdraw', false],
    ['deposit', false],
  ]);
});

test('transactions of a vault are paginated in either order and filtered by instruction and time', async () => {
  const [vault, other] = [uniqueAddress(), uniqueAddress()];
  const count = 1_002;
  const many = Array.from({ length: count }, (_, i) =>
    eventRow(i + 1, { vault, event: i % 2 === 0 ? 'deposit' : 'withdraw' }),
  );
  const points = [vault, other].map((each) => vaultHourPoint(each, MIDNIGHT, { tokens: 1n }));
  const vaultEvents = [...many, eventRow(2_000, { vault: other, event: 'deposit', wallet: null })];
  const json = '{"slot":2000}';
  const raw = {
    signature: vaultEvents.at(-1)?.signature ?? new Uint8Array(),
    slot: toSlot(2_000n),
    transactionIndex: 2_000,
    at: toUnixSeconds(MIDNIGHT),
    deflated: deflateRawSync(json),
  };
  const { url } = await startVaultHistoryApi({
    batch: { vaultEvents, points, transactions: [raw] },
  });
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const method = 'POST';
    const response = await readJson(
      await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) }),
    );
    return response as {
      readonly status: number;
      readonly body: { result: { timestamp: string; wallet: string }[]; paginationToken?: string };
    };
  };
  const path = `/kvaults/vaults/${vault}/transactions`;
  const times = ({ body }: Awaited<ReturnType<typeof post>>) =>
    body.result.map(({ timestamp }) => Date.parse(timestamp) / 1000 - Number(MIDNIGHT));
  const ascending = Array.from({ length: count }, (_, i) => i + 1);

  const first = await post(path, {});
  const { paginationToken } = first.body;
  const second = await post(path, { paginationToken });
  expect([...times(first), ...times(second)]).toEqual([...ascending].reverse());
  expect([first.body.result.length, second.body.paginationToken]).toEqual([1_000, undefined]);
  const filter = { direction: 'asc', instruction: 'withdraw', start: isoOf(MIDNIGHT + 4n) };
  const range = { ...filter, end: Number(MIDNIGHT + 8n) * 1000 };
  expect(times(await post(path, range))).toEqual([4, 6]);

  const all = await post('/kvaults/transactions', { instruction: 'deposit' });
  expect(times(all)).toEqual([2_000, ...ascending.filter((i) => i % 2 === 1).reverse()]);
  expect(all.body.result[0]?.wallet).toBe('1'.repeat(32));
  expect(all.body.result[0]).not.toHaveProperty('rawJson');
  const withRawJson = await post('/kvaults/transactions?includeRawJson=yes', {
    instruction: 'deposit',
  });
  const [newest, next] = withRawJson.body.result;
  expect([newest, next]).toMatchObject([{ rawJson: json }, all.body.result[1]]);
  expect((await post(`/kvaults/vaults/${uniqueAddress()}/transactions`, {})).body).toEqual({
    result: [],
  });
  for (const body of [{ instruction: 'x' }, { paginationToken: 'x' }, { start: 'x' }]) {
    expect((await post(path, body)).status, JSON.stringify(body)).toBe(400);
  }
  expect((await post('/kvaults/transactions', {})).status).toBe(400);
});

test('farm transactions are in whole tokens and USD, and are paginated', async () => {
  const steady = goldenReader().vault(goldenVault('Steady USDC').address);
  const { vaultFarm: farm, sharesMint, sharesMintDecimals } = steady?.fields ?? {};
  if (steady === undefined || farm === undefined || sharesMint === undefined) throw new Error();
  const unit = 10n ** (sharesMintDecimals ?? 0n);
  const wallet = uniqueAddress();
  const farmRow = (number: number, kind: (typeof farmEventKinds)[number], amount: bigint) =>
    farmEvent(
      { number, at: MIDNIGHT + BigInt(number), slot: BigInt(number) },
      { wallet, farm, vault: steady.address, kind: farmEventKinds.indexOf(kind), amount },
    );
  const farmEvents = [
    farmRow(1, 'stake', 3n * unit),
    farmRow(2, 'unstake', 2n * unit * 10n ** 18n),
    farmRow(3, 'withdrawUnstaked', unit / 2n),
  ];
  // 1,000 shares with six decimals are worth 1,500 tokens of 2 USD, regardless of the account
  const points = [
    vaultHourPoint(steady.address, MIDNIGHT - 5n, { tokens: 1_500n, priceSf: wholeToSf(2n) }),
  ];
  const { get } = await startVaultHistoryApi({ batch: { farmEvents, points } });
  const expected = [
    { instruction: 'stake', tokenAmount: '3', usdAmount: '9' },
    { instruction: 'unstake', tokenAmount: '2', usdAmount: '6' },
    { instruction: 'withdrawUnstakedDeposits', tokenAmount: '0.5', usdAmount: '1.5' },
  ].map((row, i) => ({
    createdOn: isoOf(MIDNIGHT + BigInt(i + 1)),
    transactionSignature: encodeBase58(farmEvents[i]?.signature ?? new Uint8Array()),
    ...row,
  }));
  const userRows = expected.map((row) => ({ ...row, farm, token: sharesMint }));
  type Page = { result: unknown[]; paginationToken?: string };
  const pageOf = async (path: string) => (await get(path)).body as Page;
  const user = `/farms/users/${wallet}/transactions`;
  expect(await pageOf(user)).toEqual({ result: userRows });
  const first = await pageOf(`${user}?limit=2`);
  expect(first.result).toEqual(userRows.slice(0, 2));
  const rest = await pageOf(`${user}?limit=2&paginationToken=${first.paginationToken}`);
  expect(rest).toEqual({ result: userRows.slice(2) });
  expect(await pageOf(`${user}?limit=1&noPagination=true`)).toEqual({ result: userRows });
  expect(await pageOf(`${user}?sort=desc`)).toEqual({ result: [...userRows].reverse() });
  expect(await pageOf(`/farms/${farm}/transactions`)).toEqual({ result: [...expected].reverse() });
  expect(await pageOf(`/farms/${farm}/transactions?sort=asc`)).toEqual({ result: expected });
  expect((await get(`${user}?paginationToken=x`)).status).toBe(400);
});
