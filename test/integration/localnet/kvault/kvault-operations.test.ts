import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { bytesToHex } from '#core/base/encoding/bytes.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { reserveWhitelistEntry } from '#core/protocol/kvault/layout/global-config.ts';
import { reserveWhitelistEntryAddress } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { goldenReserve, goldenVault } from '../../../support/golden/golden-addresses.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster } from '../../../support/vaults/vault-cluster.ts';
import {
  giveUpPendingFeesInstruction,
  investInstruction,
  redeemInKindInstruction,
  vaultInstructionAccounts,
  withdrawPendingFeesInstruction,
} from '../../../support/vaults/vault-instructions.ts';
import {
  collateralValueSf,
  investedSf,
  referenceNetAssetsSf,
} from '../../../support/vaults/vault-reference.ts';

const VAULT = goldenVault('Steady USDC').address;
const RESERVE = goldenReserve('Main Market', 'USDC').address;
const SECOND = goldenReserve('JLP Market', 'USDC').address;
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const USER = numberedAddress(1);
const MILLION = 1_000_000n;
const ONE = 1n << 60n;

/** A vault without fees and crank funds. */
function quietVault() {
  const cluster = new VaultCluster();
  cluster.changeVault(VAULT, { performanceFeeBps: 0n, managementFeeBps: 0n });
  const setup = vaultInstructionAccounts(cluster, VAULT);
  const { tokenMint, sharesMint } = setup.accounts;
  const tokens = cluster.fund(USER, tokenMint, MILLION);
  cluster.fund(USER, sharesMint, 0n);
  return { cluster, setup, tokens };
}

/** Target of a reserve with that weight, in net assets times 2^60. */
const target = (cluster: VaultCluster, weight: bigint): bigint =>
  (referenceNetAssetsSf(cluster, VAULT) * weight) / 100n;

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

test('invest raises a reserve to its target, and the caller pays the rounding loss', () => {
  const { cluster, setup, tokens } = quietVault();
  const supply = setup.lending(RESERVE).reserveLiquiditySupply;
  const balance = cluster.balance(supply);
  const idle = cluster.balance(setup.accounts.tokenVault);
  expect(cluster.run(investInstruction(setup, USER, { reserve: RESERVE })).error).toBeUndefined();
  expect(distance(investedSf(cluster, VAULT, RESERVE), target(cluster, 60n))).toBeLessThan(
    2n * ONE,
  );
  const { tokenAvailable, vaultAllocationStrategy } = cluster.vault(VAULT);
  expect(cluster.balance(setup.accounts.tokenVault)).toBe(tokenAvailable);
  const paid = MILLION - cluster.balance(tokens);
  expect(paid).toBeLessThanOrEqual(1n);
  expect(cluster.balance(supply) - balance).toBe(idle - tokenAvailable + paid);
  expect(vaultAllocationStrategy[0]?.lastInvestSlot).toBe(cluster.at.slot);
});

test('invest lowers a reserve to its target', () => {
  const { cluster, setup } = quietVault();
  cluster.changeAllocation(VAULT, 0, { targetAllocationWeight: 10n });
  cluster.changeAllocation(VAULT, 1, { targetAllocationWeight: 90n });
  expect(cluster.run(investInstruction(setup, USER, { reserve: RESERVE })).error).toBeUndefined();
  expect(distance(investedSf(cluster, VAULT, RESERVE), target(cluster, 10n))).toBeLessThan(
    2n * ONE,
  );
  expect(cluster.run(investInstruction(setup, USER, { reserve: SECOND })).error).toBeUndefined();
  expect(distance(investedSf(cluster, VAULT, SECOND), target(cluster, 90n))).toBeLessThan(2n * ONE);
  const { tokenAvailable, tokenVault } = cluster.vault(VAULT);
  expect(cluster.balance(tokenVault)).toBe(tokenAvailable);
  expect(tokenAvailable).toBeLessThan(3n);
});

test('a reserve without weight is emptied', () => {
  const { cluster, setup } = quietVault();
  cluster.changeAllocation(VAULT, 1, { targetAllocationWeight: 0n });
  expect(cluster.run(investInstruction(setup, USER, { reserve: SECOND })).error).toBeUndefined();
  expect(investedSf(cluster, VAULT, SECOND)).toBe(0n);
});

test('the allocation cap limits the amount', () => {
  const { cluster, setup } = quietVault();
  cluster.changeAllocation(VAULT, 0, { tokenAllocationCap: toLamports(397_000n * MILLION) });
  expect(cluster.run(investInstruction(setup, USER, { reserve: RESERVE })).error).toBeUndefined();
  const deposited = investedSf(cluster, VAULT, RESERVE);
  expect(distance(deposited, (397_000n * MILLION) << 60n)).toBeLessThan(2n * ONE);
});

test('crank funds pay the rounding loss before the caller does', () => {
  const { cluster, setup, tokens } = quietVault();
  cluster.changeVault(VAULT, {
    availableCrankFunds: toLamports(5n),
    tokenAvailable: toLamports(cluster.vault(VAULT).tokenAvailable - 5n),
  });
  for (const reserve of [RESERVE, SECOND]) {
    expect(cluster.run(investInstruction(setup, USER, { reserve })).error).toBeUndefined();
  }
  const { tokenAvailable, availableCrankFunds, tokenVault } = cluster.vault(VAULT);
  expect(cluster.balance(tokens)).toBe(MILLION);
  expect(cluster.balance(tokenVault)).toBe(tokenAvailable + availableCrankFunds);
  expect(availableCrankFunds).toBeLessThanOrEqual(5n);
});

test('invest calls the lending program between two refreshes, with 16 bytes of data', () => {
  const { cluster, setup } = quietVault();
  const { inner, logs } = cluster.run(investInstruction(setup, USER, { reserve: RESERVE }));
  const calls = (inner.get(0) ?? []).filter(({ stackHeight }) => stackHeight === 2);
  const starts = calls.map(({ instruction }) => bytesToHex(instruction.data.subarray(0, 8)));
  const deposited = starts.indexOf('a9c91e7e06cd6644');
  expect([starts.at(0), starts.at(-1)]).toEqual(['906e1a67a2ccfc93', '906e1a67a2ccfc93']);
  expect(deposited).toBe(starts.length - 2);
  expect(calls[deposited]?.instruction.data).toHaveLength(16);
  expect(calls[0]?.instruction.data).toEqual(
    Uint8Array.from(Buffer.from('906e1a67a2ccfc9301', 'hex')),
  );
  expect(logs.filter((line) => line.includes('InvestEffects direction=Add'))).toHaveLength(1);
});

test('invest requires a delay and a minimum amount', () => {
  const { cluster, setup } = quietVault();
  const instruction = investInstruction(setup, USER, { reserve: RESERVE });
  expect(cluster.run(instruction).error).toBeUndefined();
  cluster.wait(149n);
  expect(cluster.run(instruction).error).toEqual(instructionError(7045));
  cluster.wait(1n);
  cluster.changeVault(VAULT, { minInvestAmount: toLamports(10n ** 9n) });
  expect(cluster.run(instruction).error).toEqual(instructionError(7013));
});

test('a vault with a whitelist lends only to whitelisted reserves', () => {
  const { cluster, setup } = quietVault();
  cluster.changeVault(VAULT, { allowInvestInWhitelistedReservesOnly: 1 });
  const entry = reserveWhitelistEntryAddress(RESERVE);
  const listed = (whitelistInvest: number, address = entry) =>
    cluster.accounts.set(address, {
      owner: KVAULT_PROGRAM,
      lamports: 10n ** 7n,
      data: reserveWhitelistEntry.encode({
        tokenMint: setup.accounts.tokenMint,
        reserve: RESERVE,
        whitelistAddAllocation: 0,
        whitelistInvest,
        padding: new Uint8Array(62),
      }),
    });
  const instruction = investInstruction(setup, USER, { reserve: RESERVE, entry });
  expect(cluster.run(investInstruction(setup, USER, { reserve: RESERVE })).error).toEqual(
    instructionError(7054),
  );
  expect(cluster.run(instruction).error).toEqual(instructionError(3007));
  listed(0);
  expect(cluster.run(instruction).error).toEqual(instructionError(7054));
  const elsewhere = numberedAddress(77);
  listed(1, elsewhere);
  const misplaced = investInstruction(setup, USER, { reserve: RESERVE, entry: elsewhere });
  expect(cluster.run(misplaced).error).toEqual(instructionError(2006));
  listed(1);
  expect(cluster.run(instruction).error).toBeUndefined();
});

test('cTokens are worth the redeemed shares, less the penalty and one cToken', () => {
  const { cluster, setup } = quietVault();
  const { sharesMint } = setup.accounts;
  const shares = cluster.fund(USER, sharesMint, 5_000n * MILLION);
  const ctokens = cluster.fund(USER, setup.lending(RESERVE).reserveCollateralMint, 0n);
  cluster.changeVault(VAULT, { withdrawalPenaltyBps: 50n });
  const issued = cluster.vault(VAULT).sharesIssued;
  const instruction = redeemInKindInstruction(
    setup,
    { user: USER, reserve: RESERVE },
    2_000n * MILLION,
  );
  expect(cluster.run(instruction).error).toBeUndefined();
  const received = collateralValueSf(cluster, RESERVE, cluster.balance(ctokens));
  const burned = 5_000n * MILLION - cluster.balance(shares);
  const before = referenceNetAssetsSf(cluster, VAULT) + received;
  const fair = (before * 2_000n * MILLION * 9_950n) / (issued * 10_000n);
  expect(received).toBeLessThanOrEqual(fair);
  expect(fair - received).toBeLessThan(2n * ONE);
  expect(burned).toBeLessThanOrEqual(2_000n * MILLION);
  expect(2_000n * MILLION - burned).toBeLessThan(3n);
  expect(cluster.vault(VAULT).sharesIssued).toBe(issued - burned);
  expect(cluster.supply(sharesMint)).toBe(issued - burned);
  const { vaultAllocationStrategy: accounts } = cluster.vault(VAULT);
  expect(cluster.balance(setup.lending(RESERVE).ctokenVault)).toBe(accounts[0]?.ctokenAllocation);
});

test('the admin receives the fees from available tokens first, then from the reserve', () => {
  const { cluster, setup } = quietVault();
  const account = cluster.fund(ADMIN, setup.accounts.tokenMint, 0n);
  const pendingFees = 100_000n * MILLION;
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(pendingFees) });
  const { logs, error } = cluster.run(withdrawPendingFeesInstruction(setup, ADMIN, SECOND));
  expect(error).toBeUndefined();
  expect(pendingFees - cluster.balance(account)).toBeLessThanOrEqual(1n);
  const { tokenAvailable, pendingFeesSf, vaultAllocationStrategy: accounts } = cluster.vault(VAULT);
  expect(pendingFeesSf).toBe(0n);
  expect(cluster.balance(setup.accounts.tokenVault)).toBe(tokenAvailable);
  expect(cluster.balance(setup.lending(SECOND).ctokenVault)).toBe(accounts[1]?.ctokenAllocation);
  expect(logs).toContain(`Program log: Sending back to user ${cluster.balance(account)}`);
});

test('only the admin can withdraw or give up fees', () => {
  const { cluster, setup } = quietVault();
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(MILLION) });
  expect(cluster.run(withdrawPendingFeesInstruction(setup, USER, SECOND)).error).toEqual(
    instructionError(2001),
  );
  expect(cluster.run(giveUpPendingFeesInstruction(setup, USER, 1n)).error).toEqual(
    instructionError(2001),
  );
});

test('giving up fees raises the value of the shares by the same amount', () => {
  const { cluster, setup } = quietVault();
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(MILLION) });
  expect(cluster.run(giveUpPendingFeesInstruction(setup, ADMIN, 0n)).error).toBeUndefined();
  const before = referenceNetAssetsSf(cluster, VAULT);
  expect(cluster.run(giveUpPendingFeesInstruction(setup, ADMIN, 400_000n)).error).toBeUndefined();
  expect(referenceNetAssetsSf(cluster, VAULT) - before).toBe(400_000n << 60n);
  expect(cluster.run(giveUpPendingFeesInstruction(setup, ADMIN, U64_MAX)).error).toBeUndefined();
  expect(cluster.vault(VAULT).pendingFeesSf).toBe(0n);
  expect(cluster.vault(VAULT).prevAumSf).toBe(referenceNetAssetsSf(cluster, VAULT));
});
