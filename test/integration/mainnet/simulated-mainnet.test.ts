import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { toSlot } from '#core/base/time.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { chainTimeAt } from '#localnet/runtime/slot-time.ts';
import { fileScope } from '../../support/processes/test-scope.ts';
import { SimulatedMainnet } from '../../support/simulated-mainnet/simulated-mainnet.ts';
import { trafficBetween } from '../../support/simulated-mainnet/traffic.ts';

const LOANS = 300;
const FARM_USERS = 200;
const onEnd = fileScope();
let mainnet: SimulatedMainnet;

beforeAll(async () => {
  mainnet = await SimulatedMainnet.start({
    seed: 'node',
    until: chainTimeAt(1_760_000_000_000),
    loans: LOANS,
    farmUsers: FARM_USERS,
    writesPerChange: 2,
    hasPages: true,
  });
  onEnd(() => {
    void mainnet.stop();
  });
  mainnet.setRates({ updates: 25, transactions: 0 });
  for (let slot = 0; slot < 12; slot++) await mainnet.advance();
});

type AccountJson = {
  readonly pubkey: string;
  readonly account: { readonly data: readonly [string, string]; readonly owner: string };
};
type Listed = { readonly context: { readonly slot: number }; readonly value: AccountJson[] };
type Page = { readonly accounts: AccountJson[]; readonly paginationKey: string | null };

async function call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
  const response = await fetch(mainnet.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: Result; error?: unknown };
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

const filterOf = ({ discriminator }: { readonly discriminator: Uint8Array }) => ({
  memcmp: { offset: 0, bytes: encodeBase58(discriminator) },
});

const listLoans = (config: object) =>
  call<Listed>('getProgramAccounts', [
    KLEND_PROGRAM,
    {
      encoding: 'base64',
      commitment: 'confirmed',
      withContext: true,
      filters: [filterOf(obligation)],
      ...config,
    },
  ]);

const bytesOf = ({ account }: AccountJson) => Buffer.from(account.data[0], 'base64');
const isGenerated = ({ pubkey }: AccountJson) =>
  mainnet.generated.numberOf(toAddress(pubkey)) !== undefined;

test('a scan has all generated loans, which decode, beside those of the simulated cluster', async () => {
  const { value } = await listLoans({});
  const generated = value.filter(isGenerated);
  expect(new Set(generated.map(({ pubkey }) => pubkey)).size).toBe(LOANS);
  expect(value.length).toBeGreaterThan(LOANS);
  for (const each of generated) {
    const fields = obligation.decode({ owner: KLEND_PROGRAM, data: bytesOf(each) });
    expect(fields.deposits.some(({ depositedAmount }) => depositedAmount > 0n)).toBe(true);
  }
  const owners = generated.map(
    (each) => obligation.view({ owner: KLEND_PROGRAM, data: bytesOf(each) }).owner,
  );
  expect(new Set(owners).size).toBe(LOANS);
});

test('a scan of farm users has all generated ones, which decode', async () => {
  const config = { encoding: 'base64', commitment: 'confirmed', filters: [filterOf(userState)] };
  const listed = await call<AccountJson[]>('getProgramAccounts', [FARMS_PROGRAM, config]);
  const generated = listed.filter(isGenerated);
  expect(generated.length).toBe(FARM_USERS);
  for (const each of generated) {
    const { activeStakeScaled } = userState.decode({ owner: FARMS_PROGRAM, data: bytesOf(each) });
    expect(activeStakeScaled).toBeGreaterThan(0n);
  }
});

test('a slice is that part of the account', async () => {
  const [whole, sliced] = await Promise.all([
    listLoans({}),
    listLoans({ dataSlice: { offset: 16, length: 8 } }),
  ]);
  expect(sliced.value.map(({ pubkey, ...rest }) => [pubkey, bytesOf({ pubkey, ...rest })])).toEqual(
    whole.value.map((each) => [each.pubkey, bytesOf(each).subarray(16, 24)]),
  );
});

test('accounts that are read by address equal those of a scan', async () => {
  const { value } = await listLoans({});
  const some = value.filter(isGenerated).slice(0, 5);
  const addresses = some.map(({ pubkey }) => pubkey);
  const config = { encoding: 'base64', commitment: 'confirmed' };
  const read = await call<{ value: AccountJson['account'][] }>('getMultipleAccounts', [
    addresses,
    config,
  ]);
  expect(read.value).toEqual(some.map(({ account }) => account));
});

async function readPages(config: object): Promise<readonly AccountJson[]> {
  const found: AccountJson[] = [];
  let paginationKey: string | null = null;
  do {
    const page: Page = await call('getProgramAccountsV2', [
      KLEND_PROGRAM,
      {
        encoding: 'base64',
        commitment: 'confirmed',
        filters: [filterOf(obligation)],
        limit: 90,
        paginationKey,
        ...config,
      },
    ]);
    found.push(...page.accounts);
    ({ paginationKey } = page);
  } while (paginationKey !== null);
  return found;
}

const byAddress = (a: AccountJson, b: AccountJson) => (a.pubkey < b.pubkey ? -1 : 1);

test('the pages of a program together are its scan', async () => {
  const { value } = await listLoans({});
  expect((await readPages({})).toSorted(byAddress)).toEqual(value.toSorted(byAddress));
});

test('pages of what changed have the loans that the last slots wrote', async () => {
  const since = mainnet.slot - 4n;
  const confirmed = mainnet.slot - 1n;
  const written = new Set<Address>();
  for (let slot = since; slot <= confirmed; slot++) {
    for (const { address } of mainnet.generated.writtenIn(toSlot(slot), KLEND_PROGRAM)) {
      written.add(address);
    }
  }
  const pages = await readPages({ changedSinceSlot: Number(since) });
  expect(new Set(pages.filter(isGenerated).map(({ pubkey }) => pubkey))).toEqual(written);
  expect(written.size).toBeGreaterThan(0);
});

test('a subscription announces what a slot wrote, and the last version of each equals a scan', async () => {
  const socket = new WebSocket(mainnet.wsUrl);
  await once(socket, 'open');
  const config = { encoding: 'base64', commitment: 'confirmed', filters: [filterOf(obligation)] };
  const params = [KLEND_PROGRAM, config];
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'programSubscribe', params }));
  await once(socket, 'message');
  const announced = new Map<string, AccountJson>();
  socket.on('message', (data) => {
    const { params: notified } = JSON.parse(data.toString()) as {
      params: { result: { value: AccountJson } };
    };
    announced.set(notified.result.value.pubkey, notified.result.value);
  });
  const before = mainnet.slot;
  for (let slot = 0; slot < 6; slot++) await mainnet.advance();
  const expected = new Set<string>();
  for (let slot = before; slot < mainnet.slot; slot++) {
    for (const { address } of mainnet.generated.writtenIn(toSlot(slot), KLEND_PROGRAM)) {
      expected.add(address);
    }
  }
  await expect.poll(() => announced.size).toBeGreaterThanOrEqual(expected.size);
  const { value } = await listLoans({});
  const scanned = new Map(value.map((each) => [each.pubkey, each]));
  for (const address of expected) expect(announced.get(address)).toEqual(scanned.get(address));
  socket.terminate();
});

test('dropped sockets are closed, and new ones rejected until they are accepted again', async () => {
  const socket = new WebSocket(mainnet.wsUrl);
  await once(socket, 'open');
  expect(mainnet.dropSockets()).toBe(1);
  await once(socket, 'close');
  const rejected = new WebSocket(mainnet.wsUrl);
  const [error] = (await once(rejected, 'error')) as [Error];
  expect(error.message).toContain('503');
  mainnet.acceptSockets();
  const accepted = new WebSocket(mainnet.wsUrl);
  await once(accepted, 'open');
  accepted.terminate();
});

test('calls, bytes and generated accounts are counted by method', async () => {
  const before = mainnet.traffic.figures();
  const { value } = await listLoans({});
  await call('getSlot', []);
  const { getProgramAccounts, getSlot } = trafficBetween(before, mainnet.traffic.figures());
  expect(getProgramAccounts).toMatchObject({
    calls: 1,
    accounts: value.filter(isGenerated).length,
  });
  expect(getProgramAccounts?.bytes).toBeGreaterThan(LOANS * obligation.size);
  expect(getSlot).toMatchObject({ calls: 1, accounts: 0 });
});

test('wallets execute transactions at the set rate', async () => {
  const { succeeded } = mainnet.activity;
  mainnet.setRates({ updates: 0, transactions: 5 });
  for (let slot = 0; slot < 10; slot++) await mainnet.advance();
  mainnet.setRates({ updates: 0, transactions: 0 });
  // 5 per second in 10 slots of 0.4 s
  expect(mainnet.activity.succeeded - succeeded).toBeGreaterThanOrEqual(15);
});
