import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toSlot } from '#core/base/time.ts';
import { farms, klend, kvault } from '#core/protocol/index.ts';
import { extractHistoryEvents } from '#core/views/transactions/events/extract-history-events.ts';
import type { HistoryEvent, OwnerLookup } from '#core/views/transactions/events/history-event.ts';
import { clusterStateOf } from '#localnet/simulation/setup/simulation-setup.ts';
import { OwnerIndex } from '#server/indexer/events/owner-index.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { createAccountOwnerLookup } from '../../support/history/account-owner-index.ts';
import { simulateDays } from '../../support/localnet/simulated-genesis.ts';
import { exampleTransaction } from '../../support/protocol/example-transaction.ts';
import {
  namedAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../support/protocol/published-calls.ts';

const { cluster } = simulateDays('facts', 2);
const accounts = Array.from(
  cluster.bank.accounts(),
  ({ address, account }) => [address, account] as const,
);
const expected = createAccountOwnerLookup(accounts);

const fromAccounts = new OwnerIndex();
for (const [address, account] of accounts) fromAccounts.addAccount(address, account);
const fromState = new OwnerIndex(clusterStateOf(cluster, silentLog));

const addressesOf = (kind: { matches(account: RawAccount): boolean }): Address[] =>
  accounts.filter(([, account]) => kind.matches(account)).map(([address]) => address);

const obligations = addressesOf(klend.accounts.obligation);
const userStates = addressesOf(farms.accounts.userState);
const reserves = addressesOf(klend.accounts.reserve);
const vaults = addressesOf(kvault.accounts.vaultState);
const farmStates = addressesOf(farms.accounts.farmState);

test.for([
  ['added accounts', fromAccounts],
  ['the current state', fromState],
] as const)('the index finds owners, mints and vaults in %s', ([, index]) => {
  const expectSame = (lookup: keyof OwnerLookup, addresses: readonly Address[]) => {
    const known = addresses.map((address) => expected[lookup](address));
    expect(addresses.map((address) => index[lookup](address))).toEqual(known);
    expect(known.filter((found) => found !== undefined).length).toBeGreaterThan(0);
  };
  expectSame('ownerOfObligation', obligations);
  expectSame('ownerOfUserState', userStates);
  expectSame('mintOfReserve', reserves);
  expectSame('vaultOfFarm', farmStates);
  expectSame(
    'vaultOfShareMint',
    vaults.map((vault) => expected.shareMintOf(vault) ?? vault),
  );
  for (const vault of vaults) {
    expect(index.tokenOfVault(vault)?.mint).toBe(expected.tokenMintOf(vault));
  }
});

test('an empty index returns undefined', () => {
  const empty = new OwnerIndex();
  expect(empty.ownerOfObligation(namedAddress('loan'))).toBeUndefined();
  expect(empty.ownerOfUserState(namedAddress('state'))).toBeUndefined();
  expect(empty.vaultOfFarm(namedAddress('farm'))).toBeUndefined();
  expect(empty.tokenOfVault(namedAddress('vault'))).toBeUndefined();
});

test('an event that names the owner of a loan completes events that do not', () => {
  const args = [u64Bytes(999n), u64Bytes(999n), u64Bytes(999n)];
  const repay = publishedCall('klend', 'repayObligationLiquidityV2', {
    args,
    children: [transferCall('userSourceLiquidity', 'reserveDestinationLiquidity', 70n)],
  });
  const init = publishedCall('klend', 'requestElevationGroup', { args: [Uint8Array.of(2)] });
  const index = new OwnerIndex();
  const before = extractHistoryEvents(exampleTransaction([repay]), index);
  expect(before.map(({ wallet }) => wallet)).toEqual([undefined]);
  index.addEvents(extractHistoryEvents(exampleTransaction([init]), index));
  expect(index.ownerOfObligation(namedAddress('obligation'))).toBe(namedAddress('owner'));
  const after = extractHistoryEvents(exampleTransaction([repay]), index);
  expect(after.map(({ wallet }) => wallet)).toEqual([namedAddress('owner')]);
});

test('a third-party payer or a liquidator is not taken for the owner', () => {
  const index = new OwnerIndex();
  const event = {
    area: 'lending',
    kind: 'repayForOther',
    signature: '1',
    path: [0],
    eventIndex: 2,
    order: 0,
    slot: toSlot(1n),
    at: undefined,
    wallet: namedAddress('ben'),
    market: namedAddress('market'),
    obligation: namedAddress('loan'),
    reserve: undefined,
    otherReserve: undefined,
    mint: undefined,
    liquidityAmount: undefined,
    collateralAmount: undefined,
    redeemedAmount: undefined,
    debtAmount: undefined,
    feeAmount: undefined,
    payer: undefined,
    elevationGroup: undefined,
    withdrawTicket: undefined,
    vault: undefined,
  } as const satisfies HistoryEvent;
  index.addEvents([event, { ...event, kind: 'liquidate' }]);
  expect(index.ownerOfObligation(namedAddress('loan'))).toBeUndefined();
  index.addEvents([{ ...event, kind: 'repay' }]);
  expect(index.ownerOfObligation(namedAddress('loan'))).toBe(namedAddress('ben'));
});
