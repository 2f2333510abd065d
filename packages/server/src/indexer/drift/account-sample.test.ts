import { toSlot } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import { goldenCluster } from '../../../../../test/support/golden/golden.ts';
import { createSeededRandom } from '../../../../localnet/src/genesis/seed/seeded-random.ts';
import { AccountSample } from './account-sample.ts';
import { PROGRAM_KINDS, USER_KINDS } from './drift-context.ts';

function goldenState(): ClusterState {
  const state = new ClusterState({ log: silentLog });
  for (const [address, account] of goldenCluster().accounts) {
    state.apply({ address, account, slot: toSlot(1n) });
  }
  return state;
}

function seeded(seed: string): () => number {
  const random = createSeededRandom(seed);
  return () => Number(random.between(0n, 999_999n)) / 1e6;
}

const addressesOf = (state: ClusterState, kinds: typeof PROGRAM_KINDS) =>
  Array.from(state.accounts(kinds), ({ address }) => address).sort();

test('over some samples every account of programs is chosen once, and accounts of users of each kind', () => {
  const state = goldenState();
  const sample = new AccountSample(state, seeded('a'));
  const chosen: string[] = [];
  while (!sample.isThrough) chosen.push(...sample.next());
  const ofUsers = new Set<string>(addressesOf(state, USER_KINDS));
  const ofPrograms = chosen.filter((address) => !ofUsers.has(address));
  expect(ofPrograms.sort()).toEqual(addressesOf(state, PROGRAM_KINDS));
  for (const kind of USER_KINDS) {
    const known = addressesOf(state, [kind]);
    const some = known.filter((address) => chosen.includes(address));
    expect(some.length, kind).toBeGreaterThanOrEqual(Math.min(10, known.length) / 2);
  }
});

test('a sample has no account twice, fits into one request, and follows from the seed', () => {
  const state = goldenState();
  const [first, same, other] = ['a', 'a', 'b'].map((seed) =>
    new AccountSample(state, seeded(seed)).next(),
  );
  expect(new Set(first).size).toBe(first?.length);
  expect(first?.length).toBeLessThanOrEqual(100);
  expect(same).toEqual(first);
  expect(other).not.toEqual(first);
});
