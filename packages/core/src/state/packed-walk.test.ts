import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { seededBytes } from '../../../../test/support/random/seeded-bytes.ts';
import { addressFromBytes, ZERO_ADDRESS } from '../base/encoding/address.ts';
import { toLamports } from '../base/numbers/lamports.ts';
import { toSlot } from '../base/time.ts';
import { userState } from '../protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '../protocol/farms/program.ts';
import { addressKey } from './address-key.ts';
import { PackedAccountStore } from './packed-account-store.ts';
import { packedFarmUsers } from './packed-kinds.ts';

const keyOf = (number: number) => addressKey(addressFromBytes(seededBytes(2 * number + 1, 32)));
const none = new Array(10).fill(0n);

/** A stake of one of a few wallets: one of another wallet moves to another row. */
const stakeOf = (wallet: number, amount: bigint): Uint8Array =>
  userState.encode({
    ...userState.decode({ owner: FARMS_PROGRAM, data: emptyStake }),
    owner: addressFromBytes(seededBytes(1_001 + 2 * wallet, 32)),
    delegatee: ZERO_ADDRESS,
    rewardsIssuedUnclaimed: none.map(toLamports),
    activeStakeScaled: amount,
  });

const emptyStake = (() => {
  const data = new Uint8Array(userState.size);
  data.set(userState.discriminator);
  return data;
})();

const changes = fc.array(
  fc.record({
    account: fc.nat(20),
    wallet: fc.nat(2),
    amount: fc.option(fc.bigInt({ min: 1n, max: 5n })),
    visits: fc.nat(3),
  }),
  { maxLength: 80 },
);

test('what a walk has visited follows every change, so that it has exactly the accounts of the store', () => {
  assertProperty(
    fc.property(changes, (list) => {
      const store = new PackedAccountStore(packedFarmUsers);
      let [sum, count] = [0n, 0];
      const walk = store.walk({
        add(fields) {
          sum += fields.activeStakeScaled;
          count += 1;
        },
        remove(fields) {
          sum -= fields.activeStakeScaled;
          count -= 1;
        },
      });
      const stored = new Map<number, bigint>();
      for (const { account, wallet, amount, visits } of list) {
        if (amount === null) {
          store.remove(keyOf(account));
          stored.delete(account);
        } else {
          const data = stakeOf(wallet, amount);
          store.put({ key: keyOf(account), owner: FARMS_PROGRAM, data, slot: toSlot(1n) });
          stored.set(account, amount);
        }
        walk.visit(visits);
      }
      while (!walk.isThrough) walk.visit(1);
      const expected = [...stored.values()].reduce((total, amount) => total + amount, 0n);
      expect([sum, count]).toEqual([expected, stored.size]);
      walk.stop();
      store.remove(keyOf(list[0]?.account ?? 0));
      expect([sum, count], 'after it was stopped').toEqual([expected, stored.size]);
    }),
    300,
  );
});
