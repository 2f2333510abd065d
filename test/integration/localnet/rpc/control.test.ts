import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { golden, UNKNOWN_ADDRESS } from '../../../support/golden/golden-accounts.ts';
import {
  type GoldenLocalnet,
  startGoldenLocalnet,
} from '../../../support/localnet/golden-localnet.ts';
import { waitUntil } from '../../../support/waiting/wait-until.ts';

const reserves = [...golden.accounts]
  .filter(([, account]) => reserveLayout.matches(account))
  .map(([address, account]) => ({ address, ...reserveLayout.decode(account) }));

const chainOf = ({ config }: (typeof reserves)[number]) =>
  config.tokenInfo.scopeConfiguration.priceChain.filter((index) => index < 512);

/** A reserve by the length of its price chain. */
function reserveWithChain(length: number) {
  const found = reserves.find((reserve) => chainOf(reserve).length === length);
  if (found === undefined) throw new Error('no such reserve');
  return found;
}

function priceOf({ localnet }: GoldenLocalnet, reserve: (typeof reserves)[number]): number {
  const feed = localnet.bank.account(reserve.config.tokenInfo.scopeConfiguration.priceFeed);
  if (feed === undefined) throw new Error('no feed');
  const { prices } = oraclePrices.decode(feed);
  return chainOf(reserve).reduce((product, index) => {
    const { value = 0n, exp = 0n } = prices[index]?.price ?? {};
    return (product * Number(value)) / 10 ** Number(exp);
  }, 1);
}

function lastUpdateOf({ localnet }: GoldenLocalnet, address: Address) {
  const account = localnet.bank.account(address);
  if (account === undefined) throw new Error('no reserve');
  const { lastUpdate, liquidity } = reserveLayout.decode(account);
  return { slot: lastUpdate.slot, debt: liquidity.borrowedAmountSf };
}

test('a warp advances slots and time together', async () => {
  const { result } = await startGoldenLocalnet();
  const slot = Number(golden.at.slot);
  const unix = Number(golden.at.unix);
  expect(await result('tidegate_warp', [{ slots: 1_000 }])).toEqual({
    slot: slot + 1_000,
    unixTimestamp: unix + 400,
  });
  expect(await result('tidegate_warp', [{ seconds: 86_400 }])).toEqual({
    slot: slot + 1_000 + 216_000,
    unixTimestamp: unix + 400 + 86_400,
  });
  expect(await result('getSlot', [{ commitment: 'processed' }])).toBe(slot + 217_000);
  expect(await result('getSlot')).toBe(slot + 217_000 - 32);
});

test('after a warp the clock continues, and every reserve is refreshed', async () => {
  const net = await startGoldenLocalnet();
  await net.result('tidegate_warp', [{ seconds: 3_600 }]);
  const warped = golden.at.slot + 9_000n;
  for (const { address } of reserves) expect(lastUpdateOf(net, address).slot).toBe(warped);
  net.advanceSlots(2);
  expect(net.localnet.bank.slot).toBe(warped + 2n);
});

/** Closes slots until the change has landed. */
async function land(net: GoldenLocalnet, method: string, params: unknown): Promise<void> {
  let isDone = false;
  const done = net.result(method, params).finally(() => {
    isDone = true;
  });
  const isLanded = () => {
    if (!isDone) net.advanceSlots(1);
    return isDone;
  };
  await waitUntil(isLanded, `${method} is in a slot`, 1);
  await done;
}

test.each([1, 2])('a price with a chain of %i is pinned until it is released', async (length) => {
  const net = await startGoldenLocalnet();
  const reserve = reserveWithChain(length);
  await land(net, 'tidegate_setPrice', [reserve.address, '123.45']);
  expect(priceOf(net, reserve)).toBeCloseTo(123.45, 6);
  net.advanceSlots(70);
  expect(priceOf(net, reserve)).toBeCloseTo(123.45, 6);
  expect(lastUpdateOf(net, reserve.address).slot).toBeGreaterThan(golden.at.slot);
  await land(net, 'tidegate_setPrice', [reserve.address, null]);
  net.advanceSlots(20);
  const moved = priceOf(net, reserve);
  expect(moved).not.toBeCloseTo(123.45, 6);
  expect(moved).toBeCloseTo(123.45, -1);
  expect(net.failures).toEqual([]);
});

test('an account is set, changed and deleted, each in one slot', async () => {
  const net = await startGoldenLocalnet();
  const set = async (account: unknown) => {
    await land(net, 'tidegate_setAccount', [UNKNOWN_ADDRESS, account]);
    const config = { encoding: 'base64', commitment: 'processed' };
    return net.result('getAccountInfo', [UNKNOWN_ADDRESS, config]);
  };
  const account = { owner: UNKNOWN_ADDRESS, lamports: 5, data: ['AQID', 'base64'] };
  expect(await set(account)).toMatchObject({ value: { ...account, space: 3 } });
  expect(await set({ ...account, lamports: 6 })).toMatchObject({ value: { lamports: 6 } });
  expect(await set(null)).toMatchObject({ value: null });
});

test('an invalid price in a pinned chain does not stop the slots', async () => {
  const net = await startGoldenLocalnet();
  const reserve = reserveWithChain(2);
  await land(net, 'tidegate_setPrice', [reserve.address, '5']);
  const { priceFeed } = reserve.config.tokenInfo.scopeConfiguration;
  const feed = net.localnet.bank.account(priceFeed);
  const index = chainOf(reserve)[1] ?? 0;
  if (feed === undefined) throw new Error('no feed');
  const data = feed.data.slice();
  // Value and exponent are the first two words of an entry of 56 bytes.
  const exp = oraclePrices.offsets.prices + index * 56 + 8;
  data.fill(255, exp, exp + 8);
  net.localnet.bank.setAccount(priceFeed, { ...feed, data });
  const before = net.localnet.bank.slot;
  net.advanceSlots(160);
  expect(net.localnet.bank.slot).toBe(before + 160n);
  // The reserves with this price are not refreshed, and a warning is logged.
  expect(net.failures).toContainEqual({
    message: 'reserve was not refreshed',
    address: reserve.address,
    code: 'MATH_OVERFLOW',
  });
  expect(net.failures).not.toContainEqual(expect.objectContaining({ message: 'keepers failed' }));
});

test('a frozen reserve is not refreshed, the others are refreshed within a minute', async () => {
  const net = await startGoldenLocalnet();
  const [frozen, ...others] = reserves;
  if (frozen === undefined) throw new Error('no reserve');
  const before = lastUpdateOf(net, frozen.address).slot;
  expect(await net.result('tidegate_freezeReserve', [frozen.address, true])).toBe(true);
  net.advanceSlots(150);
  expect(lastUpdateOf(net, frozen.address).slot).toBe(before);
  for (const { address } of others) {
    expect(lastUpdateOf(net, address).slot).toBeGreaterThan(golden.at.slot);
  }
  await net.result('tidegate_freezeReserve', [frozen.address, false]);
  net.advanceSlots(150);
  expect(lastUpdateOf(net, frozen.address).slot).toBeGreaterThan(golden.at.slot + 150n);
});

test('a page on localhost can read but not control', async () => {
  const { post } = await startGoldenLocalnet();
  const call = async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await post(body, { origin: 'http://localhost:3000' })).json();
  };
  expect(await call('getHealth', [])).toMatchObject({ result: 'ok' });
  expect(await call('tidegate_warp', [{ slots: 5 }])).toMatchObject({ error: { code: -32601 } });
});

test.each([
  ['tidegate_warp', []],
  ['tidegate_warp', [{}]],
  ['tidegate_warp', [{ slots: 1, seconds: 1 }]],
  ['tidegate_warp', [{ slots: 0 }]],
  ['tidegate_warp', [{ slots: -1 }]],
  ['tidegate_warp', [{ seconds: 1e12 }]],
  ['tidegate_setPrice', [UNKNOWN_ADDRESS, '1']],
  ['tidegate_setPrice', [reserves[0]?.address, 1]],
  ['tidegate_setPrice', [reserves[0]?.address, '-1']],
  ['tidegate_setPrice', [reserves[0]?.address, '0']],
  ['tidegate_setPrice', [reserves[0]?.address, '1e5']],
  ['tidegate_setPrice', [reserves[0]?.address, '9'.repeat(60)]],
  ['tidegate_setAccount', [UNKNOWN_ADDRESS]],
  [
    'tidegate_setAccount',
    [UNKNOWN_ADDRESS, { owner: UNKNOWN_ADDRESS, lamports: 1, data: ['!', 'base64'] }],
  ],
  [
    'tidegate_setAccount',
    [UNKNOWN_ADDRESS, { owner: UNKNOWN_ADDRESS, lamports: 1, data: ['AA==', 'hex'] }],
  ],
  ['tidegate_setAccount', [UNKNOWN_ADDRESS, { owner: 'x', lamports: 1, data: ['AA==', 'base64'] }]],
  ['tidegate_freezeReserve', [UNKNOWN_ADDRESS]],
  ['tidegate_setFaults', [{ lagSlots: 257 }]],
  ['tidegate_setFaults', [{ nonsense: 1 }]],
  ['tidegate_setFaults', [{ answer: { kind: 'status', status: 200 } }]],
  ['tidegate_setFaults', [{ answer: { kind: 'wrongSlot', by: 0.5 } }]],
])('%s with %j is rejected and changes nothing', async (method, params) => {
  const net = await startGoldenLocalnet();
  expect((await net.rpc(method, params)).error?.code).toBe(-32602);
  expect(net.localnet.bank.slot).toBe(golden.at.slot);
  expect(net.failures).toEqual([]);
});
