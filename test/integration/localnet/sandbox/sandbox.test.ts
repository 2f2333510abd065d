import { readdirSync } from 'node:fs';
import { address, createSolanaRpc } from '@solana/kit';
import { startLocalnet } from '@tidegate/localnet';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { catchError } from '../../../support/errors/catch-error.ts';
import { newWallet } from '../../../support/localnet/kit-transfers.ts';
import { reservePrices } from '../../../support/localnet/sandbox-reads.ts';
import { temporaryFolder } from '../../../support/processes/run-tidegate.ts';

const SOL = 1_000_000_000n;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const net = await startLocalnet({ seed: 'sandbox', clock: 'on-demand' });
const rpc = createSolanaRpc(net.rpcUrl);
afterAll(() => net.stop());
beforeEach(() => {
  net.reset();
});

describe('what a test arranges', () => {
  test('an airdrop and a funded token are there at once', async () => {
    const wallet = await newWallet();
    await net.airdrop(wallet, 3n * SOL);
    await net.fund(wallet, 'USDC', '12.5');
    await net.fund(wallet, USDC, 1n);
    await net.fund(wallet, 'SOL', '2');
    expect((await rpc.getBalance(address(wallet)).send()).value).toBe(3n * SOL);
    expect(await net.tokenBalance(wallet, 'USDC')).toBe(12_500_001n);
    expect(await net.tokenBalance(wallet, 'SOL')).toBe(2n * SOL);
    expect(await net.tokenBalance(wallet, 'USDT')).toBe(0n);
  });

  test('amounts that no token account can have, and unknown tokens, are rejected', async () => {
    const wallet = await newWallet();
    const codeOf = async (work: Promise<unknown>) => (await catchError(work))?.code;
    expect(await codeOf(net.fund(wallet, 'USDC', '0.0000001'))).toBe('INVALID_DECIMAL');
    expect(await codeOf(net.fund(wallet, 'USDC', 0n))).toBe('INVALID_DECIMAL');
    expect(await codeOf(net.fund(wallet, 'NOPE', 1n))).toBe('NOT_FOUND');
    expect(await codeOf(net.airdrop('nobody', 1n))).toBe('INVALID_ADDRESS');
    expect(await codeOf(net.setPrice(wallet, '1'))).toBe('MALFORMED_DATA');
    expect(await codeOf(net.warp({ slots: 0n }))).toBe('INVALID_DECIMAL');
  });

  test('a warp moves slot and time together, as a node reports them', async () => {
    const before = net.now;
    await net.warp({ seconds: 3_600n });
    await net.warp({ slots: 5n });
    // slots of 300 ms, and times in whole seconds
    expect(net.now.slot - before.slot).toBe(12_005n);
    const seconds = net.now.unixTimestamp - before.unixTimestamp;
    expect([3_601n, 3_602n]).toContain(seconds);
    expect(await rpc.getSlot().send()).toBe(net.now.slot);
  });

  test('every reserve has a price, and one by symbol applies to all reserves of the token', async () => {
    for (const { usd } of await reservePrices(net.rpcUrl)) expect(usd).toBeGreaterThan(0);
    await net.setPrice('SOL', '77.5');
    const sol = (await reservePrices(net.rpcUrl)).filter(({ mint }) => mint.startsWith('So1'));
    expect(sol.length).toBeGreaterThan(1);
    for (const { usd } of sol) expect(usd).toBeCloseTo(77.5, 6);
  });

  test('an account is written as it is given', async () => {
    const key = await newWallet();
    const account = { owner: net.wallet(1).address, lamports: 7n, data: Uint8Array.of(1, 2) };
    await net.setAccount(key, account);
    expect(await net.account(key)).toEqual(account);
    await net.setAccount(key, undefined);
    expect(await net.account(key)).toBeUndefined();
  });
});

test('another start with the seed has the same wallets and markets, and stops', async () => {
  const other = await startLocalnet({ seed: 'sandbox', clock: 'on-demand' });
  expect(other.wallet(5)).toEqual(net.wallet(5));
  expect(other.metadata.markets.map((market) => market.address)).toEqual(
    net.metadata.markets.map((market) => market.address),
  );
  await other[Symbol.asyncDispose]();
  await other.stop();
  await expect(fetch(other.rpcUrl)).rejects.toThrow();
});

test('with seed and time the whole state is the same', async () => {
  const options = { seed: 'same', untilMs: 1_790_000_000_000, clock: 'on-demand' } as const;
  const [a, b] = [await startLocalnet(options), await startLocalnet(options)];
  try {
    expect(a.now).toEqual(b.now);
    expect(a.now.unixTimestamp).toBe(1_790_000_000n);
    for (const key of [...a.metadata.wallets, ...a.metadata.vaults.map((vault) => vault.address)])
      expect(await a.account(key)).toEqual(await b.account(key));
  } finally {
    await Promise.all([a.stop(), b.stop()]);
  }
});

test('on the wall clock slots follow time, and freeze stops them', async () => {
  const running = await startLocalnet({ seed: 'wall', speed: 50 });
  try {
    const { slot } = running.now;
    await expect.poll(() => running.now.slot).toBeGreaterThan(slot + 3n);
    running.freeze();
    const frozen = running.now.slot;
    const wallet = await newWallet();
    // the method of nodes waits for a slot, that of the sandbox closes one
    await createSolanaRpc(running.rpcUrl)
      .requestAirdrop(address(wallet), SOL as never)
      .send();
    expect(await running.account(wallet)).toBeUndefined();
    expect(running.now.slot).toBe(frozen);
    await running.airdrop(await newWallet(), SOL);
    expect(running.now.slot).toBe(frozen + 1n);
    expect((await running.account(wallet))?.lamports).toBe(SOL);
    running.resume();
    await expect.poll(() => running.now.slot).toBeGreaterThan(frozen + 3n);
  } finally {
    await running.stop();
  }
});

test('with a folder the cluster is stored, and the next start continues', async () => {
  const dataFolder = temporaryFolder();
  const wallet = await newWallet();
  const first = await startLocalnet({ seed: 'stored', dataFolder, clock: 'on-demand' });
  await first.airdrop(wallet, SOL);
  await first.stop();
  expect(readdirSync(dataFolder).length).toBeGreaterThan(0);
  const second = await startLocalnet({ dataFolder, clock: 'on-demand' });
  try {
    expect((await second.account(wallet))?.lamports).toBe(SOL);
    expect(second.wallet(0)).toEqual(first.wallet(0));
  } finally {
    await second.stop();
  }
});

test.each([
  [{ days: -1 }, 'INVALID_SETTING'],
  [{ days: 1.5 }, 'INVALID_SETTING'],
  [{ fork: { url: 'ftp://x' } }, 'INVALID_SETTING'],
  [{ fork: { url: 'http://127.0.0.1:1' }, liquidationBot: true }, 'INVALID_USAGE'],
])('%j is rejected', async (options, code) => {
  await expect(startLocalnet(options)).rejects.toMatchObject({ code });
});

test('a wallet that does not exist is rejected', () => {
  expect(catchError(() => net.wallet(100))).toMatchObject({ code: 'INVALID_USAGE' });
});
