import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { clusterStateOf } from '#localnet/simulation/setup/simulation-setup.ts';
import { ShareLedger } from '#server/indexer/recording/share-ledger.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { simulateDays } from '../../support/localnet/simulated-genesis.ts';

test('the stakers of a farm are the owners of its stakes until these are closed', () => {
  const { cluster } = simulateDays('points', 2);
  const ledger = new ShareLedger(clusterStateOf(cluster.bank, silentLog));
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
  expect([...farms.values()].flat().length).toBeGreaterThan(10);
  for (const [farm, owners] of farms) {
    expect([...ledger.stakersOfFarm(farm)].toSorted()).toEqual(owners.toSorted());
  }
  for (const { address } of stakes) ledger.remove(address);
  for (const farm of farms.keys()) expect([...ledger.stakersOfFarm(farm)]).toEqual([]);
});
