import {
  bytesFromHex,
  concatBytes,
  sfFromBits,
  toLamports,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import {
  extractHistoryEvents,
  type FarmHistoryEvent,
  type LendingHistoryEvent,
  type VaultHistoryEvent,
} from '@tidegate/core/views/transactions';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { exampleTransaction } from '../../../../../test/support/protocol/example-transaction.ts';
import { unknownOwners } from '../../../../../test/support/protocol/extracted-events.ts';
import {
  namedAddress,
  programAddress,
  transferCall,
  u64Bytes,
} from '../../../../../test/support/protocol/published-calls.ts';
import { farmEventKinds } from '../../history/event-kinds.ts';
import { type EventRowContext, toEventRows } from './event-rows.ts';

const at = toUnixSeconds(500n);
const position = {
  signature: `${'1'.repeat(63)}z`,
  path: [2, 1],
  eventIndex: 0,
  slot: toSlot(9n),
  at,
  order: 0,
  wallet: namedAddress('anna'),
};

const repay: LendingHistoryEvent = {
  ...position,
  area: 'lending',
  kind: 'repay',
  market: namedAddress('market'),
  obligation: namedAddress('loan'),
  reserve: namedAddress('reserve'),
  otherReserve: undefined,
  mint: namedAddress('mSOL'),
  liquidityAmount: toLamports(70n),
  collateralAmount: undefined,
  redeemedAmount: undefined,
  debtAmount: toLamports(69n),
  feeAmount: undefined,
  payer: namedAddress('ben'),
  elevationGroup: undefined,
  withdrawTicket: undefined,
  vault: undefined,
};

const deposit: VaultHistoryEvent = {
  ...position,
  area: 'vault',
  kind: 'deposit',
  vault: namedAddress('vault'),
  reserve: undefined,
  tokenAmount: toLamports(1_100n),
  sharesAmount: 40_000n,
  collateralAmount: undefined,
  crankAmount: toLamports(100n),
  roundingLossAmount: undefined,
  otherWallet: undefined,
};

const harvest: FarmHistoryEvent = {
  ...position,
  area: 'farm',
  kind: 'harvest',
  farm: namedAddress('farm'),
  vault: undefined,
  obligation: undefined,
  userState: namedAddress('state'),
  otherWallet: undefined,
  otherUserState: undefined,
  mint: namedAddress('reward'),
  amount: 12n,
  feeAmount: toLamports(1n),
  management: undefined,
};

const prices = new Map([
  [namedAddress('mSOL'), 200n],
  [namedAddress('USDC'), 1n],
  [namedAddress('reward'), 3n],
]);
const half = { numerator: 1n, denominator: 2n };

const context: EventRowContext = {
  transactionIndex: 4,
  at: toUnixSeconds(501n),
  owners: {
    mintOfReserve: (reserve) =>
      reserve === namedAddress('other reserve') ? namedAddress('USDC') : undefined,
    tokenOfVault: (vault) =>
      vault === namedAddress('vault')
        ? { mint: namedAddress('USDC'), tokenDecimals: 2n, sharesDecimals: 3n }
        : undefined,
    mintOfReserveFarm: (farm) =>
      farm === namedAddress('farm of a reserve') ? namedAddress('mSOL') : undefined,
  },
  prices: {
    priceAt: (mint, time) => {
      const price = prices.get(mint);
      return price === undefined ? undefined : sfFromBits(price * 1_000n + time);
    },
    solPriceAt: (time) => sfFromBits(150_000n + time),
    stakeRateAt: (mint) =>
      mint === namedAddress('mSOL') ? { numerator: 5n, denominator: 4n } : undefined,
    tokensPerShareAt: () => half,
  },
};

test('a row contains the position of the event and the prices of its token and of SOL', () => {
  const { lendingEvents, vaultEvents, farmEvents } = toEventRows([repay], context);
  expect(lendingEvents).toEqual([
    {
      signature: Uint8Array.from([...new Uint8Array(63), 57]),
      path: Uint8Array.of(2, 1),
      eventIndex: 0,
      slot: 9n,
      transactionIndex: 4,
      at: 500n,
      kind: 5,
      wallet: namedAddress('anna'),
      market: namedAddress('market'),
      obligation: namedAddress('loan'),
      reserve: namedAddress('reserve'),
      otherReserve: null,
      mint: namedAddress('mSOL'),
      payer: namedAddress('ben'),
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
      withdrawTicket: null,
      vault: null,
    },
  ]);
  expect([...vaultEvents, ...farmEvents]).toEqual([]);
});

test('a liquidation has the prices of both of its tokens', () => {
  const liquidate = {
    ...repay,
    kind: 'liquidate',
    otherReserve: namedAddress('other reserve'),
  } as const;
  const { lendingEvents } = toEventRows([liquidate], context);
  expect(lendingEvents).toMatchObject([
    { kind: 13, priceSf: 200_500n, otherPriceSf: 1_500n, otherStakeRate: null },
  ]);
});

test('the share price of a deposit excludes the crank fee', () => {
  // 10.00 tokens with two decimals for 40.000 shares with three
  const { vaultEvents } = toEventRows([deposit], context);
  expect(vaultEvents).toMatchObject([
    { kind: 0, tokenAmount: 1_100n, crankAmount: 100n, priceSf: 1_500n, solPriceSf: 150_500n },
  ]);
  const { numerator, denominator } = vaultEvents[0]?.tokensPerShare ?? half;
  expect(numerator * 4n).toBe(denominator);
});

test('unpaid shares have the share price of the vault sample', () => {
  const moved = { ...deposit, kind: 'shareTransferOut', tokenAmount: undefined } as const;
  const none = { ...deposit, sharesAmount: 0n };
  const unknown = { ...deposit, vault: namedAddress('unknown vault') };
  const { vaultEvents } = toEventRows([moved, none, unknown], context);
  expect(vaultEvents.map(({ tokensPerShare }) => tokensPerShare)).toEqual([half, half, half]);
  expect(vaultEvents[2]).toMatchObject({ priceSf: null, solPriceSf: 150_500n });
});

test('a reward has the price of its mint, and unknown values are null', () => {
  const unstake = { ...harvest, kind: 'unstake', mint: undefined, wallet: undefined } as const;
  const { farmEvents } = toEventRows([harvest, unstake], context);
  expect(farmEvents).toMatchObject([
    { kind: 3, mint: namedAddress('reward'), amount: 12n, feeAmount: 1n, priceSf: 3_500n },
    { kind: 1, mint: null, wallet: null, vault: null, priceSf: null, solPriceSf: 150_500n },
  ]);
});

test('a stake that the lending program sets has the price of the token of its reserve', () => {
  const farm = namedAddress('farm of a reserve');
  const setStake = { ...harvest, kind: 'setStake', farm, mint: undefined } as const;
  const { farmEvents } = toEventRows([setStake], context);
  expect(farmEvents).toMatchObject([{ kind: 4, mint: null, priceSf: 200_500n }]);
});

test('an instruction of a farm administrator has the mint of its token accounts, and no wallet', () => {
  const call = {
    program: programAddress('farms'),
    accounts: ['payer', 'farm', 'reward', 'rewardVault', 'authority', 'payerAta'].map(namedAddress),
    data: concatBytes([bytesFromHex('58ba19e326895117'), u64Bytes(999n), u64Bytes(1n)]),
    path: [0],
    children: [transferCall('payerAta', 'rewardVault', 70n)],
  };
  const after = [{ account: 'rewardVault', mint: 'reward', owner: 'authority', amount: 70n }];
  const view = exampleTransaction([call], { after });
  const { farmEvents } = toEventRows(extractHistoryEvents(view, unknownOwners), context);
  expect(farmEvents).toMatchObject([
    {
      kind: farmEventKinds.indexOf('addRewards'),
      wallet: null,
      userState: null,
      farm: namedAddress('farm'),
      managedFarm: namedAddress('farm'),
      signer: namedAddress('payer'),
      mint: namedAddress('reward'),
      amount: 70n,
      rewardIndex: 1,
      configMode: null,
    },
  ]);
});

test('a transaction without a block time has the time of its slot', () => {
  const { lendingEvents } = toEventRows([{ ...repay, at: undefined }], context);
  expect(lendingEvents).toMatchObject([{ at: 501n, priceSf: 200_501n }]);
});

test('an invalid signature is rejected', () => {
  expect(catchError(() => toEventRows([{ ...repay, signature: '1' }], context))?.code).toBe(
    'MALFORMED_DATA',
  );
});
