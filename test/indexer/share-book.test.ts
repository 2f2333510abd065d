import { expect, test } from 'vitest';
import type { Address } from '../../src/base/address.ts';
import { ShareBook } from '../../src/indexer/share-book.ts';
import { stateOf } from '../../src/localnet/scenario/stage.ts';
import { userState } from '../../src/protocol/farms/layout/user-state.ts';
import { playDays } from '../support/decoded-genesis.ts';
import { silentLog } from '../support/silent-log.ts';

test('stakers of a farm are the owners of what is staked, until it is closed', () => {
  const { cluster } = playDays('points', 2);
  const book = new ShareBook(stateOf(cluster.bank, silentLog));
  const stakes = [...cluster.bank.accounts()].flatMap(({ address, account }) =>
    account !== undefined && userState.matches(account)
      ? [{ address, account, fields: userState.decode(account) }]
      : [],
  );
  for (const { address, account } of stakes) book.noteStake(address, account);
  const farms = new Map<Address, Address[]>();
  for (const { fields } of stakes) {
    const { activeStakeScaled, pendingDepositStakeScaled, pendingWithdrawalUnstakeScaled } = fields;
    const staked = activeStakeScaled + pendingDepositStakeScaled + pendingWithdrawalUnstakeScaled;
    const owners = farms.get(fields.farmState) ?? [];
    farms.set(fields.farmState, staked > 0n ? [...owners, fields.owner] : owners);
  }
  expect([...farms.values()].flat().length).toBeGreaterThan(10);
  for (const [farm, owners] of farms) {
    expect([...book.stakersIn(farm)].toSorted()).toEqual(owners.toSorted());
  }
  for (const { address } of stakes) book.noteClosed(address);
  for (const farm of farms.keys()) expect([...book.stakersIn(farm)]).toEqual([]);
});
