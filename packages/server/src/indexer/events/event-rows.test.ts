import { sfFromBits, toLamports, toSlot, toUnixSeconds } from '@tidegate/core/base';
import type {
  PastFarmEvent,
  PastLendingEvent,
  PastVaultEvent,
} from '@tidegate/core/views/transactions';
import { expect, test } from 'vitest';
import { codeOf } from '../../../../../test/support/errors/catch-error.ts';
import { addressOf } from '../../../../../test/support/protocol/published-calls.ts';
import { type EventTerms, eventRows } from './event-rows.ts';

const at = toUnixSeconds(500n);
const happened = {
  signature: `${'1'.repeat(63)}z`,
  path: [2, 1],
  leg: 0,
  slot: toSlot(9n),
  at,
  order: 0,
  wallet: addressOf('anna'),
};

const repay: PastLendingEvent = {
  ...happened,
  area: 'lending',
  kind: 'repay',
  market: addressOf('market'),
  obligation: addressOf('loan'),
  reserve: addressOf('reserve'),
  otherReserve: undefined,
  mint: addressOf('mSOL'),
  liquidityAmount: toLamports(70n),
  collateralAmount: undefined,
  redeemedAmount: undefined,
  debtAmount: toLamports(69n),
  feeAmount: undefined,
  payer: addressOf('ben'),
  elevationGroup: undefined,
};

const deposit: PastVaultEvent = {
  ...happened,
  area: 'vault',
  kind: 'deposit',
  vault: addressOf('vault'),
  reserve: undefined,
  tokenAmount: toLamports(1_100n),
  sharesAmount: 40_000n,
  collateralAmount: undefined,
  crankAmount: toLamports(100n),
  roundingLossAmount: undefined,
  otherWallet: undefined,
};

const harvest: PastFarmEvent = {
  ...happened,
  area: 'farm',
  kind: 'harvest',
  farm: addressOf('farm'),
  vault: undefined,
  obligation: undefined,
  userState: addressOf('state'),
  otherWallet: undefined,
  otherUserState: undefined,
  mint: addressOf('reward'),
  amount: 12n,
  feeAmount: toLamports(1n),
};

const prices = new Map([
  [addressOf('mSOL'), 200n],
  [addressOf('USDC'), 1n],
  [addressOf('reward'), 3n],
]);
const half = { numerator: 1n, denominator: 2n };

const terms: EventTerms = {
  place: 4,
  at: toUnixSeconds(501n),
  facts: {
    mintOfReserve: (reserve) =>
      reserve === addressOf('other reserve') ? addressOf('USDC') : undefined,
    tokenOfVault: (vault) =>
      vault === addressOf('vault')
        ? { mint: addressOf('USDC'), tokenDecimals: 2n, sharesDecimals: 3n }
        : undefined,
  },
  prices: {
    priceAt: (mint, time) => {
      const price = prices.get(mint);
      return price === undefined ? undefined : sfFromBits(price * 1_000n + time);
    },
    solPriceAt: (time) => sfFromBits(150_000n + time),
    stakeRateAt: (mint) =>
      mint === addressOf('mSOL') ? { numerator: 5n, denominator: 4n } : undefined,
    tokensPerShareAt: () => half,
  },
};

test('a row says where its event is, and what its token and SOL were worth then', () => {
  const { lendingEvents, vaultEvents, farmEvents } = eventRows([repay], terms);
  expect(lendingEvents).toEqual([
    {
      signature: Uint8Array.from([...new Uint8Array(63), 57]),
      path: Uint8Array.of(2, 1),
      leg: 0,
      slot: 9n,
      place: 4,
      at: 500n,
      kind: 5,
      wallet: addressOf('anna'),
      market: addressOf('market'),
      obligation: addressOf('loan'),
      reserve: addressOf('reserve'),
      otherReserve: null,
      mint: addressOf('mSOL'),
      payer: addressOf('ben'),
      elevationGroup: null,
      liquidityAmount: 70n,
      collateralAmount: null,
      redeemedAmount: null,
      debtAmount: 69n,
      feeAmount: null,
      priceSf: 200_500n,
      solPriceSf: 150_500n,
      otherPriceSf: null,
      stakeRate: { numerator: 5n, denominator: 4n },
      otherStakeRate: null,
    },
  ]);
  expect([...vaultEvents, ...farmEvents]).toEqual([]);
});

test('a liquidation has the prices of both of its tokens', () => {
  const liquidate = {
    ...repay,
    kind: 'liquidate',
    otherReserve: addressOf('other reserve'),
  } as const;
  const { lendingEvents } = eventRows([liquidate], terms);
  expect(lendingEvents).toMatchObject([
    { kind: 13, priceSf: 200_500n, otherPriceSf: 1_500n, otherStakeRate: null },
  ]);
});

test('a deposit tells what a share cost without the part for moving the funds', () => {
  // 10.00 tokens of two decimals for 40.000 shares of three
  const { vaultEvents } = eventRows([deposit], terms);
  expect(vaultEvents).toMatchObject([
    { kind: 0, tokenAmount: 1_100n, crankAmount: 100n, priceSf: 1_500n, solPriceSf: 150_500n },
  ]);
  const { numerator, denominator } = vaultEvents[0]?.tokensPerShare ?? half;
  expect(numerator * 4n).toBe(denominator);
});

test('shares that were not paid for are worth what the vault was', () => {
  const moved = { ...deposit, kind: 'shareTransferOut', tokenAmount: undefined } as const;
  const none = { ...deposit, sharesAmount: 0n };
  const unknown = { ...deposit, vault: addressOf('unknown vault') };
  const { vaultEvents } = eventRows([moved, none, unknown], terms);
  expect(vaultEvents.map(({ tokensPerShare }) => tokensPerShare)).toEqual([half, half, half]);
  expect(vaultEvents[2]).toMatchObject({ priceSf: null, solPriceSf: 150_500n });
});

test('a reward has its own price, and what is not known is null', () => {
  const unstake = { ...harvest, kind: 'unstake', mint: undefined, wallet: undefined } as const;
  const { farmEvents } = eventRows([harvest, unstake], terms);
  expect(farmEvents).toMatchObject([
    { kind: 3, mint: addressOf('reward'), amount: 12n, feeAmount: 1n, priceSf: 3_500n },
    { kind: 1, mint: null, wallet: null, vault: null, priceSf: null, solPriceSf: 150_500n },
  ]);
});

test('a transaction without a time has that of its slot', () => {
  const { lendingEvents } = eventRows([{ ...repay, at: undefined }], terms);
  expect(lendingEvents).toMatchObject([{ at: 501n, priceSf: 200_501n }]);
});

test('a signature that is none is refused', () => {
  expect(codeOf(() => eventRows([{ ...repay, signature: '1' }], terms))).toBe('MALFORMED_DATA');
});
