import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { NO_FAULTS } from '#localnet/rpc/faults.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { createIndexer } from '#server/indexer/follow/indexer.ts';
import { type CountedCall, startRpcCounter } from '../support/fakes/rpc-counter.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { goldenCluster } from '../support/golden/golden.ts';
import { startGoldenLocalnet } from '../support/localnet/golden-localnet.ts';
import { assertAsyncProperty } from '../support/properties/assert-property.ts';

const PAGES = 'getProgramAccountsV2';
const LONG = { interval: 50 };
const nodes = [
  { node: 'a node that knows what was written since a slot', unknown: [] },
  { node: 'a node that does not', unknown: [PAGES] },
] as const;

const isUserAccount = (account: ClusterAccount) =>
  obligation.matches(account) || userState.matches(account);
const users = [...goldenCluster().accounts].filter(([, account]) => isUserAccount(account));

/** Positions where a write leaves `lastUpdate` of a loan as it is: settings, amounts, and the owner. */
const LOAN_OFFSETS = [
  obligation.offsets.owner,
  obligation.offsets.deposits + 40,
  obligation.offsets.autodeleverageTargetLtvPct,
  obligation.offsets.obligationOrders,
  obligation.offsets.pendingOwner,
];
const STAKE_OFFSETS = [
  userState.offsets.owner,
  userState.offsets.rewardsTallyScaled,
  userState.offsets.lastStakeTs,
];

const change = fc.record({
  kind: fc.constantFrom('update', 'close', 'create', 'restore', 'slot'),
  which: fc.nat(1_000),
  value: fc.nat(255),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** An indexer that follows a localnet over WebSocket, and slots that pass until the test is finished. */
async function follow(unknownMethods: readonly string[]) {
  const golden = await startGoldenLocalnet();
  const { bank } = golden.localnet;
  const counter = await startRpcCounter(golden.rpcUrl, unknownMethods);
  const source = createClusterSource({
    rpcUrls: [counter.url],
    wsUrls: [new URL(golden.wsUrl)],
    commitment: 'confirmed',
    clock: () => performance.now(),
    random: () => 0,
    log: silentLog,
  });
  const state = new ClusterState({ log: silentLog });
  const rescans = { rescanObligationsMs: 20, rescanOthersMs: 20, readCost: 0 };
  const timing = { tickMs: 5, retryMs: 5, ...rescans };
  const clock = () => performance.now();
  const options = { source, state, mode: 'all', clock, log: silentLog, timing } as const;
  const indexer = createIndexer({ ...options, random: () => 0 });
  const ticker = setInterval(() => golden.advanceSlots(1), 10);
  onTestFinished(() => {
    clearInterval(ticker);
    indexer.stop();
    source.close();
  });
  await indexer.start();
  const interrupt = async (during: () => void) => {
    const { gaps } = indexer.status();
    golden.node.faults.set({ ...NO_FAULTS, webSockets: 'refuse' });
    golden.node.dropWebSockets();
    during();
    golden.advanceSlots(3);
    golden.node.faults.set(NO_FAULTS);
    await expect.poll(() => indexer.status().gaps > gaps, LONG).toBe(true);
    await expect.poll(() => indexer.status().resyncing, LONG).toBe(false);
  };
  return { golden, bank, counter, state, indexer, interrupt };
}

type Followed = Awaited<ReturnType<typeof follow>>;

/** A digest of what readers see of each loan and stake. */
function contentOf(state: ClusterState): Map<string, string> {
  const content = new Map<string, string>();
  // the accounts share a buffer
  for (const { address, owner, data } of state.accounts()) {
    if (!isUserAccount({ owner, data, lamports: 1n })) continue;
    content.set(address, createHash('sha256').update(owner).update(data).digest('hex'));
  }
  return content;
}

/** The same of a state that has just read all accounts of the bank. */
function readAfresh({ bank }: Pick<Followed, 'bank'>): Map<string, string> {
  const state = new ClusterState({ log: silentLog });
  const view = bank.view(bank.slot);
  for (const owner of new Set(users.map(([, account]) => account.owner))) {
    for (const each of view.accountsOf(owner)) state.apply({ ...each, slot: bank.slot });
  }
  return contentOf(state);
}

function writeChange({ bank, golden }: Followed, { kind, which, value }: Change): void {
  const [address, original] = users[which % users.length] ?? [];
  if (address === undefined || original === undefined) return;
  const account = bank.account(address) ?? original;
  const offsets = obligation.matches(original) ? LOAN_OFFSETS : STAKE_OFFSETS;
  const changed = { ...account, data: account.data.slice() };
  changed.data[offsets[value % offsets.length] ?? 0] = value;
  if (kind === 'update') bank.setAccount(address, changed);
  else if (kind === 'close') bank.setAccount(address, undefined);
  else if (kind === 'restore') bank.setAccount(address, original);
  else if (kind === 'create') bank.setAccount(newAddress(which), changed);
  else golden.advanceSlots(1);
}

function newAddress(number: number): Address {
  const bytes = new Uint8Array(32).fill(9);
  new DataView(bytes.buffer).setUint32(0, number);
  return addressFromBytes(bytes);
}

describe.each(nodes)('$node', ({ unknown }) => {
  test('property: after an outage, state equals a fresh read', async () => {
    const followed = await follow(unknown);
    const changes = fc.array(change, { maxLength: 12 });
    await assertAsyncProperty(
      fc.asyncProperty(changes, changes, async (before, during) => {
        for (const each of before) writeChange(followed, each);
        await followed.interrupt(() => {
          for (const each of during) writeChange(followed, each);
        });
        await expect
          .poll(() => [...contentOf(followed.state)].sort(), LONG)
          .toEqual([...readAfresh(followed)].sort());
      }),
      1,
    );
  });
});

const isFullUserRead = ({ method, config }: CountedCall): boolean =>
  method === 'getProgramAccounts' &&
  config['dataSlice'] === undefined &&
  isUserFilter(config['filters']);

const isUserFilter = (filters: unknown): boolean => {
  const text = JSON.stringify(filters);
  return [obligation, userState].some(({ discriminator }) =>
    text.includes(encodeBase58(discriminator)),
  );
};

test('an outage costs what changed, if the node knows it', async () => {
  const followed = await follow([]);
  const { bank, counter } = followed;
  const [address, account] = users[0] ?? [];
  if (address === undefined || account === undefined) throw new Error('no golden loan');
  // later than the first slot of the localnet by more than the overlap
  const later = bank.slot + 100n;
  await expect.poll(() => followed.state.at().slot > later, LONG).toBe(true);
  const before = counter.calls.length;
  await followed.interrupt(() => {
    const data = account.data.slice();
    data[obligation.offsets.tag] = 1;
    bank.setAccount(address, { ...account, data });
  });
  const calls = counter.calls.slice(before);
  expect(calls.filter(isFullUserRead)).toEqual([]);
  const pages = calls.filter(({ method }) => method === PAGES);
  expect(pages.length).toBeGreaterThan(0);
  // only the written account is in one of the pages, the others are empty
  expect(pages.filter(({ responseBytes }) => responseBytes > 300)).toHaveLength(1);
});
