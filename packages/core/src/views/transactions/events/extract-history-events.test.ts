import { expect, test } from 'vitest';
import { exampleTransaction } from '../../../../../../test/support/protocol/example-transaction.ts';
import {
  burnCall,
  mintCall,
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../../test/support/protocol/published-calls.ts';
import { bytesFromHex, concatBytes } from '../../../base/encoding/bytes.ts';
import { deriveAddress } from '../../../base/solana/pda.ts';
import type { Call } from '../../../protocol/spl/transaction/call-tree.ts';
import { extractHistoryEvents } from './extract-history-events.ts';
import type { OwnerLookup } from './history-event.ts';

const unknown: OwnerLookup = {
  ownerOfObligation: () => undefined,
  ownerOfUserState: () => undefined,
  vaultOfShareMint: () => undefined,
  vaultOfFarm: () => undefined,
  mintOfReserve: () => undefined,
};

const facts: OwnerLookup = {
  ...unknown,
  ownerOfObligation: (obligation) =>
    obligation === namedAddress('obligation') ? namedAddress('anna') : undefined,
  ownerOfUserState: (state) =>
    state === namedAddress('userState') ? namedAddress('anna') : undefined,
  vaultOfFarm: (farm) => (farm === namedAddress('farmState') ? namedAddress('vault') : undefined),
  mintOfReserve: (reserve) =>
    namedAddress(reserve === namedAddress('repayReserve') ? 'debt' : 'other'),
};

const args = [u64Bytes(999n), u64Bytes(999n), u64Bytes(999n)];
const pastOf = (call: Call, known = facts) =>
  extractHistoryEvents(exampleTransaction([call]), known);

const repay = publishedCall('klend', 'repayObligationLiquidityV2', {
  args,
  children: [transferCall('userSourceLiquidity', 'reserveDestinationLiquidity', 70n)],
});
const repaid = {
  area: 'lending',
  kind: 'repay',
  leg: 0,
  obligation: namedAddress('obligation'),
  market: namedAddress('lendingMarket'),
  payer: namedAddress('owner'),
  liquidityAmount: 70n,
};

test('who pays the debt of somebody else has the cash, the owner has the change of debt', () => {
  const [owner, payer, ...more] = pastOf(repay);
  expect(owner).toMatchObject({ ...repaid, wallet: namedAddress('anna'), debtAmount: 70n });
  expect(payer).toMatchObject({
    ...repaid,
    kind: 'repayForOther',
    leg: 2,
    wallet: namedAddress('owner'),
    debtAmount: undefined,
  });
  expect(more).toEqual([]);
});

test('who pays the own debt is told once', () => {
  const own = { ...facts, ownerOfObligation: () => namedAddress('owner') };
  expect(pastOf(repay, own)).toMatchObject([{ ...repaid, wallet: namedAddress('owner') }]);
  expect(pastOf(repay, own)).toHaveLength(1);
});

test('without facts it is not known whose debt was paid', () => {
  expect(pastOf(repay, unknown)).toMatchObject([{ ...repaid, wallet: undefined }]);
});

test('the lending program called by a program that nobody knows is the wallet’s own doing', () => {
  const program = namedAddress('a wallet program');
  const data = Uint8Array.of(1);
  const call = { program, accounts: [], data, path: [], children: [repay] };
  expect(pastOf(call)).toMatchObject([
    { path: [0, 0], leg: 0 },
    { path: [0, 0], leg: 2 },
  ]);
});

test('a liquidation has the loss of the owner and the gain of the liquidator', () => {
  const name = 'liquidateObligationAndRedeemReserveCollateralV2';
  const call = publishedCall('klend', name, {
    args,
    children: [
      transferCall('userSourceLiquidity', 'repayReserveLiquiditySupply', 70n),
      transferCall('withdrawReserveCollateralSupply', 'userDestinationCollateral', 60n),
      burnCall('userDestinationCollateral', 55n),
      transferCall('withdrawReserveLiquiditySupply', 'userDestinationLiquidity', 80n),
      transferCall('userDestinationLiquidity', 'withdrawReserveLiquidityFeeReceiver', 4n),
    ],
  });
  const [repayReserve, withdrawReserve] = ['repayReserve', 'withdrawReserve'].map(namedAddress);
  const taken = { collateralAmount: 60n, redeemedAmount: 55n, liquidityAmount: 80n, feeAmount: 4n };
  expect(pastOf(call)).toMatchObject([
    {
      ...{ kind: 'liquidationRepay', leg: 0, wallet: namedAddress('anna'), reserve: repayReserve },
      ...{ liquidityAmount: 70n, debtAmount: 70n, mint: namedAddress('debt') },
    },
    {
      ...{
        kind: 'liquidationWithdraw',
        leg: 1,
        wallet: namedAddress('anna'),
        debtAmount: undefined,
      },
      ...{ ...taken, reserve: withdrawReserve, mint: namedAddress('other') },
    },
    {
      ...{ kind: 'liquidate', leg: 2, wallet: namedAddress('liquidator'), debtAmount: 70n },
      ...{ ...taken, reserve: repayReserve, otherReserve: withdrawReserve },
    },
  ]);
});

test('a loss that lenders bear is the owner’s', () => {
  const names = ['lendingMarketOwner', 'obligation', 'lendingMarket', 'reserve', 'sysvar'];
  const call = {
    ...repay,
    accounts: names.map(namedAddress),
    data: concatBytes([bytesFromHex('f54b5b00ec611303'), u64Bytes(77n)]),
  };
  expect(pastOf(call)).toMatchObject([
    { kind: 'socializeLoss', wallet: namedAddress('anna'), debtAmount: 77n },
  ]);
});

test('a change of group is told with the group', () => {
  const call = publishedCall('klend', 'requestElevationGroup', { args: [Uint8Array.of(5)] });
  const expected = {
    kind: 'requestElevationGroup',
    wallet: namedAddress('owner'),
    elevationGroup: 5,
  };
  expect(pastOf(call)).toMatchObject([expected]);
});

const paid = [transferCall('userTokenAta', 'tokenVault', 105n), mintCall('userSharesAta', 90n)];
const ofVault = { area: 'vault', vault: namedAddress('vaultState'), wallet: namedAddress('user') };

test.each([
  ['deposit', undefined, 'deposit'],
  ['buy', undefined, 'buy'],
  ['deposit', '4a7f805004ddc15b', 'deposit'],
  ['buy', '3d8766977c2e90d1', 'buy'],
])('%s (%s) of a vault is a %s', (name, start, kind) => {
  const call = publishedCall('kvault', name, { args, children: paid });
  const data = start === undefined ? call.data : concatBytes([bytesFromHex(start), ...args]);
  expect(pastOf({ ...call, data })).toMatchObject([
    { ...ofVault, kind, tokenAmount: 105n, sharesAmount: 90n },
  ]);
});

const redeem = publishedCall('klend', 'redeemReserveCollateral', { args });
const withdrawn = [
  burnCall('userSharesAta', 90n),
  {
    ...redeem,
    accounts: redeem.accounts
      .with(7, namedAddress('ctokenVault'))
      .with(8, namedAddress('tokenVault')),
    children: [
      burnCall('ctokenVault', 60n),
      transferCall('reserveLiquiditySupply', 'tokenVault', 71n),
    ],
  },
  transferCall('tokenVault', 'userTokenAta', 100n),
];

test.each(['withdraw', 'sell'])('a %s tells what the vault redeemed as the vault’s', (kind) => {
  const past = pastOf(publishedCall('kvault', kind, { args, children: withdrawn }));
  const amounts = { tokenAmount: 100n, sharesAmount: 90n, collateralAmount: 60n };
  expect(past).toMatchObject([{ ...ofVault, kind, ...amounts, reserve: namedAddress('reserve') }]);
});

test('an exit without a reserve and one in cTokens have their own kinds', () => {
  const available = publishedCall('kvault', 'withdrawFromAvailable', {
    args,
    children: [burnCall('userSharesAta', 90n), transferCall('tokenVault', 'userTokenAta', 100n)],
  });
  const inKind = publishedCall('kvault', 'redeemInKind', {
    args,
    children: [burnCall('userSharesTa', 90n), transferCall('ctokenVault', 'userCtokenTa', 60n)],
  });
  expect(extractHistoryEvents(exampleTransaction([available, inKind]), facts)).toMatchObject([
    { ...ofVault, kind: 'withdrawFromAvailable', tokenAmount: 100n, sharesAmount: 90n, order: 0 },
    { ...ofVault, kind: 'redeemInKind', collateralAmount: 60n, sharesAmount: 90n, order: 1 },
  ]);
});

test.each([
  [
    'investIn',
    [transferCall('tokenVault', 'reserveLiquiditySupply', 50n), mintCall('ctokenVault', 40n)],
  ],
  [
    'investOut',
    [transferCall('reserveLiquiditySupply', 'tokenVault', 50n), burnCall('ctokenVault', 40n)],
  ],
])('%s is what moved between vault and reserve', (kind, children) => {
  const lost = transferCall('payerTokenAccount', 'tokenVault', 1n);
  const call = publishedCall('kvault', 'invest', { args, children: [...children, lost] });
  expect(pastOf(call)).toMatchObject([
    {
      ...{ kind, wallet: namedAddress('payer'), reserve: namedAddress('reserve') },
      ...{ tokenAmount: 50n, collateralAmount: 40n, roundingLossAmount: 1n },
    },
  ]);
});

test('an investment that moved nothing is not told', () => {
  expect(pastOf(publishedCall('kvault', 'invest', { args }))).toEqual([]);
});

const harvest = publishedCall('farms', 'harvestReward', {
  args: [u64Bytes(2n)],
  children: [
    transferCall('rewardsVault', 'userRewardTokenAccount', 90n),
    transferCall('rewardsVault', 'rewardsTreasuryVault', 10n),
  ],
});

test('a reward is of whom it was paid to, not of who asked for it', () => {
  const rewards = { account: 'userRewardTokenAccount', mint: 'rewardMint', owner: 'ben' };
  const after = [{ ...rewards, amount: 90n }];
  const reward = { kind: 'harvest', amount: 90n, feeAmount: 10n, mint: namedAddress('rewardMint') };
  expect(extractHistoryEvents(exampleTransaction([harvest], { after }), facts)).toMatchObject([
    { ...reward, wallet: namedAddress('ben'), vault: namedAddress('vault') },
  ]);
  expect(pastOf(harvest)).toMatchObject([{ ...reward, wallet: namedAddress('anna') }]);
  expect(pastOf(harvest, unknown)).toMatchObject([{ ...reward, wallet: undefined }]);
});

test('stakes have the mint of what moved, and the vault of the farm', () => {
  const children = [transferCall('userAta', 'farmVault', 70n)];
  const call = publishedCall('farms', 'stake', { args, children });
  const stake = {
    ...{ kind: 'stake', wallet: namedAddress('owner'), userState: namedAddress('userState') },
    ...{ amount: 70n, mint: namedAddress('shares'), vault: namedAddress('vault') },
  };
  const after = [{ account: 'farmVault', mint: 'shares', owner: 'farm', amount: 70n }];
  const before = [{ account: 'userAta', mint: 'shares', owner: 'owner', amount: 70n }];
  expect(extractHistoryEvents(exampleTransaction([call], { after }), facts)).toMatchObject([stake]);
  expect(extractHistoryEvents(exampleTransaction([call], { before }), facts)).toMatchObject([
    stake,
  ]);
});

test('a stake that changes hands names both sides', () => {
  expect(pastOf(publishedCall('farms', 'transferOwnership'))).toMatchObject([
    {
      ...{ kind: 'transferOwnership', wallet: namedAddress('oldOwner') },
      ...{ userState: namedAddress('oldUserState'), otherWallet: namedAddress('newOwner') },
      ...{ otherUserState: namedAddress('newUserState'), amount: undefined },
    },
  ]);
});

test('a stake that the lending program set is the obligation’s', () => {
  const set = publishedCall('farms', 'setStakeDelegated', { args: [u64Bytes(33n)] });
  const derived = deriveAddress(
    'user',
    [namedAddress('farmState'), namedAddress('obligation')],
    programAddress('farms'),
  );
  const place = set.accounts.indexOf(namedAddress('userState'));
  const ofObligation = { ...set, accounts: set.accounts.with(place, derived) };
  const refresh = publishedCall('klend', 'refreshObligationFarmsForReserve', { args });
  const expected = { kind: 'setStake', amount: 33n, userState: derived };
  expect(pastOf({ ...refresh, children: [ofObligation] })).toMatchObject([
    { ...expected, obligation: namedAddress('obligation'), wallet: namedAddress('anna') },
  ]);
  const stranger = { ...refresh, program: namedAddress('a stranger'), children: [ofObligation] };
  for (const call of [ofObligation, stranger]) {
    expect(pastOf(call)).toMatchObject([{ ...expected, obligation: undefined, wallet: undefined }]);
  }
});

test('transfers of shares and what programs tell are in one order, that of execution', () => {
  const deposit = publishedCall('kvault', 'deposit', { args, children: paid });
  const send = transferCall('shares of anna', 'shares of ben', 1n);
  const before = [
    { account: 'shares of anna', mint: 'shares', owner: 'anna', amount: 2n },
    { account: 'shares of ben', mint: 'shares', owner: 'ben', amount: 0n },
  ];
  const known = { ...facts, vaultOfShareMint: () => namedAddress('vaultState') };
  const past = extractHistoryEvents(exampleTransaction([send, deposit, send], { before }), known);
  expect(past.map(({ kind, path, leg }) => `${path} ${leg} ${kind}`)).toEqual([
    '0 0 shareTransferOut',
    '0 1 shareTransferIn',
    '1 0 deposit',
    '2 0 shareTransferOut',
    '2 1 shareTransferIn',
  ]);
});
