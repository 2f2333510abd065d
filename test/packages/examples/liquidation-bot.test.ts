import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { createGenesisWallet } from '../../support/clusters/genesis-wallet.ts';
import { startApi } from '../../support/http/test-api.ts';

const script = fileURLToPath(new URL('../../../examples/liquidation-bot.ts', import.meta.url));

/** Runs the bot until it ends. Returns its output. */
async function runBot(args: readonly string[], tick: () => void): Promise<string> {
  const bot = spawn(process.execPath, ['--import', 'tsx', script, ...args]);
  onTestFinished(() => void bot.kill());
  let output = '';
  let errors = '';
  bot.stdout.on('data', (chunk) => {
    output += chunk;
  });
  bot.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(bot, 'exit');
  const isRunning = () => {
    tick();
    return bot.exitCode === null;
  };
  await expect.poll(isRunning, { interval: 50 }).toBe(false);
  await ended;
  expect(errors).toBe('');
  return output.trim();
}

test('the bot liquidates a loan that a price change makes unhealthy', async () => {
  const genesis = await startGenesisApi();
  const { cluster, metadata, rpcUrl, now, advanceTime } = genesis;
  const { market, obligation, wallet: owner } = metadata.demo;
  const loan = cluster.reader.obligation(obligation)?.fields;
  const deposit = [...(loan?.deposits ?? [])].find(({ depositedAmount }) => depositedAmount > 0n);
  const debt = [...(loan?.borrows ?? [])].find(({ borrowedAmountSf }) => borrowedAmountSf > 0n);
  const collateral = cluster.reader.reserve(deposit?.depositReserve ?? market)?.fields.liquidity;
  const owed = cluster.reader.reserve(debt?.borrowReserve ?? market)?.fields.liquidity;
  if (loan === undefined || collateral === undefined || owed === undefined) {
    throw new Error('the demo loan has no debt');
  }
  const bot = await createGenesisWallet(genesis, 'bot');
  expect(bot.address).not.toBe(owner);
  await bot.airdrop(owed.mintPubkey, 1_000_000n * 10n ** owed.mintDecimals);
  const part = Number(loan.borrowFactorAdjustedDebtValueSf) / Number(loan.unhealthyBorrowValueSf);
  const price = (Number(collateral.marketPriceSf) / 2 ** 60) * part * 0.95;

  const addresses = { ...metadata.demo, rpcUrl, wsUrl: '' };
  const { url } = await startApi({
    clusters: createClusters([cluster]),
    clock: now,
    demo: () => ({ addresses, keysFolder: '' }),
  });
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-bot-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keyFile = join(folder, 'liquidator.json');
  writeFileSync(keyFile, JSON.stringify(bot.keyBytes));
  await bot.setPrice(deposit?.depositReserve ?? market, price.toFixed(8));
  const signature = await runBot([url, keyFile, market], () => advanceTime());
  await bot.settle();
  const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const executed = (await bot.call('getTransaction', [signature, config])) as {
    readonly meta: { readonly err: unknown; readonly logMessages: readonly string[] };
  };
  expect(executed.meta.err).toBeNull();
  expect(executed.meta.logMessages.join()).toContain('LiquidateObligation');
});
