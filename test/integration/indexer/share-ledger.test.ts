import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { clusterStateOf } from '#localnet/simulation/setup/simulation-setup.ts';
import { ShareLedger } from '#server/indexer/recording/share-ledger.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { simulateDays } from '../../support/localnet/simulated-genesis.ts';

test('the stakers of a farm are the owners of its stakes until these are closed, but of a delegated farm nobody', () => {
  const { cluster } = simulateDays('points', 2);
  const state = clusterStateOf(cluster, silentLog);
  const ledger = new ShareLedger(state);
  const stakes = [...cluster.bank.accounts()].flatMap(({ address, account }) =>
    account !== undefined && userState.matches(account)
      ? [{ address, account, fields: userState.decode(account) }]
      : [],
  );
  for (const { address, account } of stakes) ledger.updateStake(address, account);
  const farms = new Map<Address, Address[]>();
  for (const { fields } of stakes) {
    const { activeStakeScaled, pendingDepositStakeScaled, pendingWithdrawalUnstakeScaled } = fields;
    const staked = activeStakeScaled + pendingDepositStakeScaled + pendingWithdrawalUnstakeScaled;
    const owners = farms.get(fields.farmState) ?? [];
    farms.set(fields.farmState, staked > 0n ? [...owners, fields.owner] : owners);
  }
  const isDelegated = (farm: Address) => state.farm(farm)?.fields.isFarmDelegated === 1;
  const ofVaults = [...farms].filter(([farm]) => !isDelegated(farm));
  expect(ofVaults.flatMap(([, owners]) => owners).length).toBeGreaterThan(1);
  for (const [farm, owners] of farms) {
    const expected = isDelegated(farm) ? [] : owners.toSorted();
    expect([...ledger.stakersOfFarm(farm)].toSorted()).toEqual(expected);
  }
  for (const { address } of stakes) ledger.remove(address);
  for (const farm of farms.keys()) expect([...ledger.stakersOfFarm(farm)]).toEqual([]);
});
