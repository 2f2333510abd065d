import { createSolanaRpc } from '@solana/kit';
import { type Sandbox, startLocalnet } from '@tidegate/localnet';
import { expect, onTestFinished, test } from 'vitest';
import type { Instruction } from '#core/base/solana/instruction.ts';
import {
  reserveConfigModes,
  updateReserveConfig,
} from '#core/protocol/klend/instructions/administration.ts';
import { refreshReserve } from '#core/protocol/klend/instructions/refresh.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Reserve, reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { globalConfigAddress } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { INSTRUCTIONS_SYSVAR } from '#core/protocol/spl/programs.ts';
import { configAccounts } from '#localnet/genesis/accounts/config-accounts.ts';
import { createSeededKeys } from '#localnet/genesis/seed/seeded-keys.ts';
import { signedWire } from '../../../support/localnet/signed-transactions.ts';
import { alice } from '../../../support/localnet/transacting-localnet.ts';
import {
  forkableCluster,
  recordedUsdcReserve,
} from '../../../support/recorded-mainnet/forkable-accounts.ts';
import {
  MAIN_MARKET,
  MAIN_USDC_RESERVE,
} from '../../../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../../../support/recorded-mainnet/recorded-mainnet.ts';

/** On mainnet. The fork starts before it. */
const KLEND_1_25 = 440_486_775n;
const SLOTS_A_YEAR = 63_072_000;
const SECONDS_A_YEAR = 31_536_000;
const TRUE_APR = 1;

/** A fork of the recorded mainnet that runs the releases which mainnet ran in each slot. */
async function startFork(): Promise<Sandbox> {
  const faults = { stoppedSlots: true };
  const origin = await startRecordedMainnet({ accounts: forkableCluster(), faults });
  const fork = { url: origin.rpcUrl };
  const net = await startLocalnet({ fork, programs: 'mainnet', clock: 'on-demand' });
  onTestFinished(() => net.stop());
  await net.airdrop(alice.address, 10_000_000_000n);
  const config = configAccounts(createSeededKeys('fork')).get(globalConfigAddress());
  if (config === undefined) throw new Error('no global config');
  await net.setAccount(globalConfigAddress(), { ...config, lamports: 10_000_000n });
  return net;
}

async function send(net: Sandbox, instructions: readonly Instruction[]) {
  const { value } = await createSolanaRpc(net.rpcUrl).getLatestBlockhash().send();
  const { blockhash } = value;
  return net.send(signedWire({ instructions, signers: [alice], blockhash }));
}

async function readReserve(net: Sandbox): Promise<Reserve> {
  const account = await net.account(MAIN_USDC_RESERVE);
  if (account === undefined) throw new Error('no reserve');
  return reserveLayout.decode(account);
}

async function refresh(net: Sandbox): Promise<Reserve> {
  const { config, lendingMarket: market } = recordedUsdcReserve();
  const accounts = {
    reserve: MAIN_USDC_RESERVE,
    lendingMarket: market,
    pythOracle: undefined,
    switchboardPriceOracle: undefined,
    switchboardTwapOracle: undefined,
    scopePrices: config.tokenInfo.scopeConfiguration.priceFeed,
  };
  const { error } = await send(net, [refreshReserve.build(KLEND_PROGRAM, { accounts, args: {} })]);
  expect(error).toBeUndefined();
  return readReserve(net);
}

/** Signed by nobody: the owner of the market is impersonated. */
async function chargeBySeconds(net: Sandbox) {
  const account = await net.account(MAIN_MARKET);
  if (account === undefined) throw new Error('no market');
  const owner = lendingMarket.decode(account).lendingMarketOwner;
  await net.impersonate(owner);
  const accounts = {
    signer: owner,
    globalConfig: globalConfigAddress(),
    lendingMarket: MAIN_MARKET,
    reserve: MAIN_USDC_RESERVE,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  };
  const mode = reserveConfigModes.indexOf('UpdateInterestRateBasis');
  const args = { mode, skipConfigIntegrityValidation: 0 };
  return send(net, [
    updateReserveConfig.build(KLEND_PROGRAM, { accounts, args, list: [TRUE_APR] }),
  ]);
}

/** Interest of an hour or so as a part of the debt, and the slots and seconds that it is for. */
async function interestOf(net: Sandbox, slots: bigint) {
  const before = await refresh(net);
  const from = net.now;
  await net.warp({ slots });
  const after = await refresh(net);
  const to = net.now;
  const rate = ({ liquidity }: Reserve) => Number(liquidity.cumulativeBorrowRateBsf.value);
  return {
    growth: rate(after) / rate(before) - 1,
    slots: Number(to.slot - from.slot),
    seconds: Number(to.unixTimestamp - from.unixTimestamp),
  };
}

test('a fork runs each release from its slot on: interest per slot, then per second', async () => {
  const net = await startFork();
  expect(net.now.slot).toBeLessThan(KLEND_1_25);
  const recorded = await readReserve(net);

  const old = await refresh(net);
  expect(old.lastUpdate.timestamp).toBe(recorded.lastUpdate.timestamp);
  expect((await chargeBySeconds(net)).error).toContain('0x66');
  const perSlot = await interestOf(net, 9_000n);

  await net.warp({ slots: KLEND_1_25 - net.now.slot });
  const upgraded = await refresh(net);
  expect(upgraded.lastUpdate.timestamp).toBe(Number(net.now.unixTimestamp));
  // the basis of the reserve is unchanged
  const stillPerSlot = await interestOf(net, 9_000n);
  expect((await chargeBySeconds(net)).error).toBeUndefined();
  expect((await readReserve(net)).config.interestRateBasis).toBe(TRUE_APR);
  const perSecond = await interestOf(net, 9_000n);

  const bySlots = (part: typeof perSlot) => (part.growth * SLOTS_A_YEAR) / part.slots;
  const bySeconds = (part: typeof perSlot) => (part.growth * SECONDS_A_YEAR) / part.seconds;
  const apr = bySlots(perSlot);
  expect(apr).toBeGreaterThan(0.01);
  expect(bySlots(stillPerSlot) / apr).toBeCloseTo(1, 2);
  expect(bySeconds(perSecond) / apr).toBeCloseTo(1, 2);
  // slots are shorter than half a second, so the same rate costs less by the second
  expect(perSecond.growth / stillPerSlot.growth).toBeLessThan(0.85);
});
