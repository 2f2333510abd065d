import { expect, test } from 'vitest';
import { exampleTransaction } from '../../../../../../test/support/protocol/example-transaction.ts';
import {
  eventsOf,
  exampleArgs,
  exampleOwners,
  unknownOwners,
} from '../../../../../../test/support/protocol/extracted-events.ts';
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
import { extractHistoryEvents } from './extract-history-events.ts';

const paid = [transferCall('userTokenAta', 'tokenVault', 105n), mintCall('userSharesAta', 90n)];
const vaultEvent = {
  area: 'vault',
  vault: namedAddress('vaultState'),
  wallet: namedAddress('user'),
};

test.each([
  ['deposit', undefined, 'deposit'],
  ['buy', undefined, 'buy'],
  ['deposit', '4a7f805004ddc15b', 'deposit'],
  ['buy', '3d8766977c2e90d1', 'buy'],
])('%s (%s) of a vault is a %s', (name, start, kind) => {
  const call = publishedCall('kvault', name, { args: exampleArgs, children: paid });
  const data = start === undefined ? call.data : concatBytes([bytesFromHex(start), ...exampleArgs]);
  expect(eventsOf({ ...call, data })).toMatchObject([
    { ...vaultEvent, kind, tokenAmount: 105n, sharesAmount: 90n },
  ]);
});

const redeem = publishedCall('klend', 'redeemReserveCollateral', { args: exampleArgs });
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

test.each(['withdraw', 'sell'])('a %s includes the redemption by the vault', (kind) => {
  const events = eventsOf(
    publishedCall('kvault', kind, { args: exampleArgs, children: withdrawn }),
  );
  const amounts = { tokenAmount: 100n, sharesAmount: 90n, collateralAmount: 60n };
  expect(events).toMatchObject([
    { ...vaultEvent, kind, ...amounts, reserve: namedAddress('reserve') },
  ]);
});

test('withdrawals of idle funds and in cTokens have their own kinds', () => {
  const available = publishedCall('kvault', 'withdrawFromAvailable', {
    args: exampleArgs,
    children: [burnCall('userSharesAta', 90n), transferCall('tokenVault', 'userTokenAta', 100n)],
  });
  const inKind = publishedCall('kvault', 'redeemInKind', {
    args: exampleArgs,
    children: [burnCall('userSharesTa', 90n), transferCall('ctokenVault', 'userCtokenTa', 60n)],
  });
  expect(
    extractHistoryEvents(exampleTransaction([available, inKind]), exampleOwners),
  ).toMatchObject([
    {
      ...vaultEvent,
      kind: 'withdrawFromAvailable',
      tokenAmount: 100n,
      sharesAmount: 90n,
      order: 0,
    },
    { ...vaultEvent, kind: 'redeemInKind', collateralAmount: 60n, sharesAmount: 90n, order: 1 },
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
])('%s is the amount moved between vault and reserve', (kind, children) => {
  const rounding = transferCall('payerTokenAccount', 'tokenVault', 1n);
  const call = publishedCall('kvault', 'invest', {
    args: exampleArgs,
    children: [...children, rounding],
  });
  expect(eventsOf(call)).toMatchObject([
    {
      kind,
      wallet: namedAddress('payer'),
      reserve: namedAddress('reserve'),
      tokenAmount: 50n,
      collateralAmount: 40n,
      roundingLossAmount: 1n,
    },
  ]);
});

test('an investment that moved nothing is no event', () => {
  expect(eventsOf(publishedCall('kvault', 'invest', { args: exampleArgs }))).toEqual([]);
});

const harvest = publishedCall('farms', 'harvestReward', {
  args: [u64Bytes(2n)],
  children: [
    transferCall('rewardsVault', 'userRewardTokenAccount', 90n),
    transferCall('rewardsVault', 'rewardsTreasuryVault', 10n),
  ],
});

test('a reward belongs to the receiving wallet, not to the payer of the transaction', () => {
  const rewards = { account: 'userRewardTokenAccount', mint: 'rewardMint', owner: 'ben' };
  const after = [{ ...rewards, amount: 90n }];
  const reward = { kind: 'harvest', amount: 90n, feeAmount: 10n, mint: namedAddress('rewardMint') };
  expect(
    extractHistoryEvents(exampleTransaction([harvest], { after }), exampleOwners),
  ).toMatchObject([{ ...reward, wallet: namedAddress('ben'), vault: namedAddress('vault') }]);
  expect(eventsOf(harvest)).toMatchObject([{ ...reward, wallet: namedAddress('anna') }]);
  expect(eventsOf(harvest, unknownOwners)).toMatchObject([{ ...reward, wallet: undefined }]);
});

test('a stake has the mint of the moved tokens and the vault of the farm', () => {
  const children = [transferCall('userAta', 'farmVault', 70n)];
  const call = publishedCall('farms', 'stake', { args: exampleArgs, children });
  const stake = {
    kind: 'stake',
    wallet: namedAddress('owner'),
    userState: namedAddress('userState'),
    amount: 70n,
    mint: namedAddress('shares'),
    vault: namedAddress('vault'),
  };
  const after = [{ account: 'farmVault', mint: 'shares', owner: 'farm', amount: 70n }];
  const before = [{ account: 'userAta', mint: 'shares', owner: 'owner', amount: 70n }];
  expect(extractHistoryEvents(exampleTransaction([call], { after }), exampleOwners)).toMatchObject([
    stake,
  ]);
  expect(extractHistoryEvents(exampleTransaction([call], { before }), exampleOwners)).toMatchObject(
    [stake],
  );
});

test('a transferred stake has both exampleOwners', () => {
  expect(eventsOf(publishedCall('farms', 'transferOwnership'))).toMatchObject([
    {
      kind: 'transferOwnership',
      wallet: namedAddress('oldOwner'),
      userState: namedAddress('oldUserState'),
      otherWallet: namedAddress('newOwner'),
      otherUserState: namedAddress('newUserState'),
      amount: undefined,
    },
  ]);
});

test('a stake set by the lending program belongs to the obligation', () => {
  const set = publishedCall('farms', 'setStakeDelegated', { args: [u64Bytes(33n)] });
  const derived = deriveAddress(
    'user',
    [namedAddress('farmState'), namedAddress('obligation')],
    programAddress('farms'),
  );
  const index = set.accounts.indexOf(namedAddress('userState'));
  const ofObligation = { ...set, accounts: set.accounts.with(index, derived) };
  const refresh = publishedCall('klend', 'refreshObligationFarmsForReserve', { args: exampleArgs });
  const expected = { kind: 'setStake', amount: 33n, userState: derived };
  expect(eventsOf({ ...refresh, children: [ofObligation] })).toMatchObject([
    { ...expected, obligation: namedAddress('obligation'), wallet: namedAddress('anna') },
  ]);
  const otherProgram = {
    ...refresh,
    program: namedAddress('a stranger'),
    children: [ofObligation],
  };
  for (const call of [ofObligation, otherProgram]) {
    expect(eventsOf(call)).toMatchObject([
      { ...expected, obligation: undefined, wallet: undefined },
    ]);
  }
});

test('share transfers and program events are in the order of execution', () => {
  const deposit = publishedCall('kvault', 'deposit', { args: exampleArgs, children: paid });
  const send = transferCall('shares of anna', 'shares of ben', 1n);
  const before = [
    { account: 'shares of anna', mint: 'shares', owner: 'anna', amount: 2n },
    { account: 'shares of ben', mint: 'shares', owner: 'ben', amount: 0n },
  ];
  const lookup = { ...exampleOwners, vaultOfShareMint: () => namedAddress('vaultState') };
  const events = extractHistoryEvents(
    exampleTransaction([send, deposit, send], { before }),
    lookup,
  );
  expect(events.map(({ kind, path, eventIndex }) => `${path} ${eventIndex} ${kind}`)).toEqual([
    '0 0 shareTransferOut',
    '0 1 shareTransferIn',
    '1 0 deposit',
    '2 0 shareTransferOut',
    '2 1 shareTransferIn',
  ]);
});
