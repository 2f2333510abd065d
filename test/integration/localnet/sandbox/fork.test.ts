import { address, createSolanaRpc } from '@solana/kit';
import { type Sandbox, startLocalnet } from '@tidegate/localnet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { programsFolder } from '../../../support/localnet/real-programs.ts';
import { reserveDeposit } from '../../../support/localnet/reserve-deposit.ts';
import { callControl } from '../../../support/localnet/sandbox-reads.ts';
import { namedSigner, signedWire } from '../../../support/localnet/signed-transactions.ts';
import { alice, bob, transferInstruction } from '../../../support/localnet/transacting-localnet.ts';
import { temporaryFolder } from '../../../support/processes/run-tidegate.ts';
import { findAccount } from '../../../support/recorded-mainnet/edit-account.ts';
import {
  forkableCluster,
  recordedUsdcReserve,
} from '../../../support/recorded-mainnet/forkable-accounts.ts';
import type { NodeFaults } from '../../../support/recorded-mainnet/node-faults.ts';
import {
  MAIN_MARKET,
  MAIN_USDC_RESERVE,
  PRICE_FEED,
  USDC_MINT,
  USDC_VAULT,
} from '../../../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../../../support/recorded-mainnet/recorded-mainnet.ts';
import { RECORDED_AT } from '../../../support/recorded-mainnet/recorded-time.ts';

const SOL = 1_000_000_000n;
/** 250 USDC. */
const AMOUNT = 250_000_000n;

/** A fork of the recorded mainnet, whose slot stands still unless the test moves it. */
async function startFork(programs = '', faults: NodeFaults = {}) {
  const stopped: NodeFaults = { stoppedSlots: true };
  const origin = await startRecordedMainnet({ accounts: forkableCluster(), faults: stopped });
  const net = await startLocalnet({ fork: { url: origin.rpcUrl }, programs, clock: 'on-demand' });
  onTestFinished(() => net.stop());
  origin.faults.set({ ...stopped, ...faults });
  const count = (method: string) => origin.requests.filter((each) => each === method).length;
  return { origin, net, count };
}

async function deposit(net: Sandbox, amount = AMOUNT) {
  const { value } = await createSolanaRpc(net.rpcUrl).getLatestBlockhash().send();
  const reserve = recordedUsdcReserve();
  const owner = alice.address;
  const instructions = reserveDeposit({ owner, address: MAIN_USDC_RESERVE, reserve, amount });
  return net.send(signedWire({ instructions, signers: [alice], blockhash: value.blockhash }));
}

const readReserve = async (net: Sandbox) => {
  const account = await net.account(MAIN_USDC_RESERVE);
  if (account === undefined) throw new Error('no reserve');
  return reserveLayout.decode(account);
};

const tokensIn = async (net: Sandbox, key: Address): Promise<bigint> =>
  Buffer.from((await net.account(key))?.data ?? []).readBigUInt64LE(64);

describe.each([
  ['the model', ''],
  ['the real programs', programsFolder],
])('a deposit into the recorded USDC reserve by %s', (name, programs) => {
  test.skipIf(name !== 'the model' && programs === '')('moves exactly its amount', async () => {
    const { origin, net, count } = await startFork(programs);
    const before = recordedUsdcReserve();
    await net.airdrop(alice.address, SOL);
    await net.fund(alice.address, USDC_MINT, 2n * AMOUNT);
    const requestsBefore = count('getMultipleAccounts');
    const { error, logs } = await deposit(net);
    expect(error, logs.join('\n')).toBeUndefined();
    // one read of what the transaction needs
    expect(count('getMultipleAccounts') - requestsBefore).toBe(1);
    const after = await readReserve(net);
    const { totalAvailableAmount } = before.liquidity;
    expect(after.liquidity.totalAvailableAmount - totalAvailableAmount).toBe(AMOUNT);
    expect(await tokensIn(net, before.liquidity.supplyVault)).toBe(totalAvailableAmount + AMOUNT);
    expect(await net.tokenBalance(alice.address, USDC_MINT)).toBe(AMOUNT);
    const received = await net.tokenBalance(alice.address, before.collateral.mintPubkey);
    expect(after.collateral.mintTotalSupply - before.collateral.mintTotalSupply).toBe(received);
    // a cToken is worth more than the token, by the interest since the reserve exists
    expect(Number(received)).toBeLessThan(Number(AMOUNT));
    expect(Number(received)).toBeGreaterThan(Number(AMOUNT) * 0.5);
    // the origin is only read
    const unchanged = findAccount(forkableCluster(), MAIN_USDC_RESERVE);
    expect(origin.state.account(MAIN_USDC_RESERVE)).toEqual(unchanged);
  });
});

test('a forked balance is spent by the runtime of real programs', async () => {
  const wallet = { owner: SYSTEM_PROGRAM, lamports: 5n * SOL, data: new Uint8Array() };
  const accounts = [...forkableCluster(), { address: alice.address, account: wallet }];
  const origin = await startRecordedMainnet({ accounts });
  // a folder without programs: those that LiteSVM has
  const net = await startLocalnet({ fork: { url: origin.rpcUrl }, programs: temporaryFolder() });
  onTestFinished(() => net.stop());
  const { value } = await createSolanaRpc(net.rpcUrl).getLatestBlockhash().send();
  const transfer = transferInstruction(bob.address, 2n * SOL, alice.address);
  const { error } = await net.send(
    signedWire({ instructions: [transfer], signers: [alice], blockhash: value.blockhash }),
  );
  expect(error).toBeUndefined();
  expect((await net.account(bob.address))?.lamports).toBe(2n * SOL);
  expect((await net.account(alice.address))?.lamports).toBe(3n * SOL - 5_000n);
});

test('the clock starts at the slot and the time of the origin', async () => {
  const { net } = await startFork();
  const { slot, unix } = RECORDED_AT;
  expect(net.now).toEqual({ slot, unixTimestamp: unix });
  const rpc = createSolanaRpc(net.rpcUrl);
  expect(await rpc.getSlot().send()).toBe(slot);
});

test('an account stays as it was first read, and the slot of each read is reported', async () => {
  const { origin, net, count } = await startFork();
  const start = net.snapshot();
  const first = await net.account(MAIN_MARKET);
  expect(first).toEqual(findAccount(forkableCluster(), MAIN_MARKET));
  const changed = { ...findAccount(forkableCluster(), MAIN_MARKET), lamports: 99n };
  origin.state.setAccount(MAIN_MARKET, changed);
  origin.state.advance(40);
  const reads = count('getMultipleAccounts');
  expect(await net.account(MAIN_MARKET)).toEqual(first);
  expect(count('getMultipleAccounts')).toBe(reads);
  // read later: of a later slot, and the clock is not behind it
  expect(await net.account(USDC_VAULT)).toBeDefined();
  const later = RECORDED_AT.slot + 41n;
  expect(net.now.slot).toBe(later);
  const nothing = toAddress('Nothing111111111111111111111111111111111111');
  expect(await net.account(nothing)).toBeUndefined();
  expect(net.forkedAccounts()).toEqual([
    { address: MAIN_MARKET, slot: RECORDED_AT.slot, isFound: true },
    { address: USDC_VAULT, slot: later, isFound: true },
    { address: nothing, slot: later, isFound: false },
  ]);
  const { result } = await callControl(net.rpcUrl, 'tidegate_getForkedAccounts');
  expect(result).toMatchObject({
    origin: origin.rpcUrl.host,
    slot: Number(RECORDED_AT.slot),
    accounts: [{ address: MAIN_MARKET }, { address: USDC_VAULT }, { address: nothing }],
  });
  // also after a revert no account is of the future
  expect(net.revert(start).slot).toBe(later);
});

test('a scan is sent once and merged with local writes', async () => {
  const { origin, net, count } = await startFork();
  const rpc = createSolanaRpc(net.rpcUrl);
  const filters = [{ dataSize: BigInt(reserveLayout.size) }];
  const scan = async () =>
    (
      await rpc.getProgramAccounts(address(KLEND_PROGRAM), { encoding: 'base64', filters }).send()
    ).map(({ pubkey, account }) => ({ pubkey, data: account.data[0] }));
  const recorded = forkableCluster().filter(({ account }) => reserveLayout.matches(account));
  const local = findAccount(forkableCluster(), MAIN_USDC_RESERVE);
  const [changed, added] = [local.data.slice(), namedSigner('added').address];
  changed[5_000] = 77;
  await net.setAccount(MAIN_USDC_RESERVE, { ...local, data: changed });
  await net.setAccount(added, local);
  const expected = recorded.map(({ address: pubkey, account }) => {
    return { pubkey, data: encodeBase64(pubkey === MAIN_USDC_RESERVE ? changed : account.data) };
  });
  const found = await scan();
  expect(new Set(found)).toEqual(
    new Set([...expected, { pubkey: added, data: encodeBase64(local.data) }]),
  );
  // later changes of the origin are not seen
  origin.state.setAccount(namedSigner('late').address, local);
  expect(await scan()).toEqual(found);
  expect(count('getProgramAccounts')).toBe(1);
});

test('token accounts of a wallet are found on the origin and locally', async () => {
  const { net, count } = await startFork('');
  await net.fund(alice.address, USDC_MINT, 5n);
  const rpc = createSolanaRpc(net.rpcUrl);
  const mint = { mint: address(USDC_MINT) };
  const find = () =>
    rpc.getTokenAccountsByOwner(address(alice.address), mint, { encoding: 'jsonParsed' }).send();
  // the recorded node does not know the method: that is no empty list
  await expect(find()).rejects.toThrow(/origin of the fork/);
  expect(count('getTokenAccountsByOwner')).toBe(1);
});

test('what was read stays after a revert, without another request', async () => {
  const { net, origin } = await startFork();
  await net.airdrop(alice.address, SOL);
  await net.fund(alice.address, USDC_MINT, AMOUNT);
  const id = net.snapshot();
  expect((await deposit(net)).error).toBeUndefined();
  const after = await readReserve(net);
  net.revert(id);
  const requests = origin.requests.length;
  expect((await readReserve(net)).liquidity.totalAvailableAmount).toBe(
    recordedUsdcReserve().liquidity.totalAvailableAmount,
  );
  expect((await deposit(net)).error).toBeUndefined();
  expect(await readReserve(net)).toEqual(after);
  expect(origin.requests.length).toBe(requests);
});

test('prices have their values and ages however much time passes, until a test sets one', async () => {
  const { net } = await startFork();
  const read = async () => {
    const account = await net.account(PRICE_FEED);
    if (account === undefined) throw new Error('no feed');
    const { prices } = oraclePrices.decode(account);
    return prices.map(({ price, unixTimestamp }) => ({
      price,
      age: unixTimestamp === 0n ? undefined : net.now.unixTimestamp - unixTimestamp,
    }));
  };
  const before = await read();
  await net.warp({ seconds: 86_400n });
  expect(await read()).toEqual(before);
  await net.airdrop(alice.address, SOL);
  await net.fund(alice.address, USDC_MINT, AMOUNT);
  expect((await deposit(net)).error).toBeUndefined();
  await net.setPrice(MAIN_USDC_RESERVE, '0.5');
  expect((await read())[13]).toMatchObject({ price: { value: 50_000_000n, exp: 8n }, age: 0n });
});

test('accounts that are read after a warp have prices of the same age too', async () => {
  const { net } = await startFork();
  await net.warp({ seconds: 86_400n });
  await net.airdrop(alice.address, SOL);
  await net.fund(alice.address, USDC_MINT, AMOUNT);
  const { error, logs } = await deposit(net);
  expect(error, logs.join('\n')).toBeUndefined();
});

test('programs that the cluster executes are not read', async () => {
  const { net, count } = await startFork();
  const reads = count('getMultipleAccounts');
  await net.account(KLEND_PROGRAM);
  expect(count('getMultipleAccounts')).toBe(reads);
});

describe('an origin that cannot be read is an error, never a missing account', () => {
  const scan = (net: Sandbox) =>
    createSolanaRpc(net.rpcUrl)
      .getProgramAccounts(address(KLEND_PROGRAM), { encoding: 'base64' })
      .send();

  test('a refused scan', async () => {
    const { net } = await startFork('', { scans: 'excluded' });
    await expect(scan(net)).rejects.toThrow(/excluded from account secondary indexes/);
  });

  test('an answer of an older slot', async () => {
    const { net } = await startFork('', { minContextSlot: 'ignored' });
    await expect(net.account(MAIN_MARKET)).rejects.toMatchObject({ code: 'SOURCE_LAGS' });
  });

  test('a limit of requests is waited for', async () => {
    const { net } = await startFork('', {
      rateLimited: { requests: 2, retryAfterSeconds: 0 },
    });
    expect(await net.account(MAIN_MARKET)).toBeDefined();
  });

  test('a read that failed is repeated by the next one', async () => {
    const { net, origin } = await startFork('', { scans: 'not-available' });
    await expect(scan(net)).rejects.toThrow(/not available on your plan/);
    origin.faults.set({ stoppedSlots: true });
    expect((await scan(net)).length).toBeGreaterThan(0);
  });
});
