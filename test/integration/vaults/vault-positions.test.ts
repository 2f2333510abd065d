import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { userWith } from '../../support/farms/farm-accounts.ts';
import { goldenFlow, readGolden } from '../../support/golden/golden.ts';
import { goldenUser, goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenAtFlow, goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi, statusAndBody } from '../../support/http/test-api.ts';

const STEADY = goldenVault('Steady USDC').address;
const STEADY_FARM = goldenVault('Steady USDC').farm;
const SOL_EARN = goldenVault('SOL Earn').address;
const ERIN = goldenUser('erin').address;
const UNKNOWN = toAddress('GQTt7RfzXGxCRNsVYVRfGCBDgpR8xMRtsM7PAbWiZ1g6');

type SdkUser = Record<'address' | 'unstakedShares' | 'stakedShares' | 'totalShares', string>;

const { vaults } = readGolden('expected.json') as {
  vaults: { address: string; users: Record<string, SdkUser> }[];
};

const holdings = vaults.flatMap(({ address, users }) =>
  Object.values(users).map(({ address: owner, ...shares }) => ({ vault: address, owner, shares })),
);

test.each(holdings)('the position of $owner in $vault equals that of the SDK', async (holding) => {
  const { get } = await goldenApi();
  const { stakedShares, unstakedShares, totalShares } = holding.shares;
  const expected = { vaultAddress: holding.vault, stakedShares, unstakedShares, totalShares };
  const { body } = await get(`/kvaults/users/${holding.owner}/positions/${holding.vault}`);
  expect(body).toEqual(expected);
  const list = (await get(`/kvaults/users/${holding.owner}/positions`)).body;
  expect(list).toContainEqual(expected);
});

test('listUserVaultPositions sorts by vault address', async () => {
  const { get } = await goldenApi();
  const list = (await get(`/kvaults/users/${ERIN}/positions`)).body as { vaultAddress: string }[];
  expect(list.map(({ vaultAddress }) => vaultAddress)).toEqual([SOL_EARN, STEADY]);
});

/** After a deposit with staking, all new shares are in the farm. */
test('stakedShares equals the stake in the farm', async () => {
  const flow = goldenFlow('40-vault-deposit-usdc-and-stake.json');
  const variant = goldenAtFlow('40-vault-deposit-usdc-and-stake.json', 'after');
  const users = [...flow.after].flatMap(([, account]) =>
    account && userState.matches(account) ? userState.decode(account) : [],
  );
  const [user] = users;
  if (user === undefined) throw new Error('no farm user');
  expect(user.activeStakeScaled % 10n ** 18n).toBe(0n);
  const lamports = user.activeStakeScaled / 10n ** 18n;
  const staked = `${lamports / 1_000_000n}.${String(lamports % 1_000_000n).padStart(6, '0')}`;
  const reader = goldenReader(variant);
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const { body } = await get(`/kvaults/users/${user.owner}/positions/${STEADY}`);
  expect(body).toMatchObject({ stakedShares: staked.replace(/\.?0+$/, '') });
  const { body: metrics } = await get(`/kvaults/vaults/${STEADY}/metrics`);
  // Erin and Frank hold shares in their wallets; the farm is not a holder
  const wallets = new Set([ERIN, goldenUser('frank').address]);
  expect(metrics).toMatchObject({ numberOfHolders: wallets.add(user.owner).size });
});

const stakeOf = (owner: typeof ERIN, stake: Partial<Parameters<typeof userWith>[0]>) => {
  const user = userWith({ owner, delegatee: owner, farmState: STEADY_FARM, ...stake });
  const raw = { owner: FARMS_PROGRAM, data: userState.encode(user) };
  return [userStateAddress(STEADY_FARM, owner), raw] as const;
};

test('a stake with fractions of the smallest share unit is exact, and so is the total', async () => {
  const stake = { activeStakeScaled: 1_500_000n * 10n ** 18n + 5n * 10n ** 16n };
  const reader = goldenReader(goldenWithAccounts([stakeOf(ERIN, stake)]));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  expect((await get(`/kvaults/users/${ERIN}/positions/${STEADY}`)).body).toEqual({
    vaultAddress: STEADY,
    stakedShares: '1.50000005',
    unstakedShares: '20000',
    totalShares: '20001.50000005',
  });
});

test('numberOfHolders counts each wallet once, including one with a pending unstake', async () => {
  const reader = goldenReader(
    goldenWithAccounts([
      stakeOf(ERIN, { activeStakeScaled: 10n ** 18n }),
      stakeOf(UNKNOWN, { pendingWithdrawalUnstakeScaled: 1n }),
    ]),
  );
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const { body } = await get(`/kvaults/vaults/${STEADY}/metrics`);
  expect(body).toMatchObject({ numberOfHolders: 3 });
});

test('numberOfHolders counts the known holders if not all accounts can be read', async () => {
  const reader = { ...goldenReader(), shareOwners: () => undefined };
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const { body } = await get(`/kvaults/vaults/${STEADY}/metrics`);
  expect(body).toMatchObject({ numberOfHolders: 2 });
});

test('a wallet without shares has no positions', async () => {
  const { get } = await goldenApi();
  expect(statusAndBody(await get(`/kvaults/users/${UNKNOWN}/positions`))).toEqual({
    status: 200,
    body: [],
  });
  expect(statusAndBody(await get(`/kvaults/users/${UNKNOWN}/positions/${STEADY}`))).toEqual({
    status: 404,
    body: {
      metadata: `There is no position of ${UNKNOWN} in the vault ${STEADY}. Check the address.`,
    },
  });
  expect(statusAndBody(await get(`/kvaults/users/${ERIN}/positions/${UNKNOWN}`))).toEqual({
    status: 404,
    body: { metadata: `There is no vault ${UNKNOWN}. Check the address.` },
  });
});

test.each([
  ['/kvaults/users/abc/positions', 'pubkey'],
  [`/kvaults/users/abc/positions/${STEADY}`, 'userPubkey'],
  [`/kvaults/users/${ERIN}/positions/abc`, 'vaultPubkey'],
])('%s returns 400', async (path, name) => {
  const { get } = await goldenApi();
  const { status, body } = await get(path);
  expect(status).toBe(400);
  expect(body).toMatchObject({ details: [{ path: [name], code: 'invalid_address' }] });
});
