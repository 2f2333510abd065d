import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { bytesToHex } from '#core/base/encoding/bytes.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { reserveWhitelistEntry } from '#core/protocol/kvault/layout/reserve-whitelist-entry.ts';
import { reserveWhitelistEntryAddress } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
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

const VAULT = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');
const RESERVE = toAddress('EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9');
const SECOND = toAddress('6fiUy5cgqsRwHX86kHk9Xza9yPPpz5rxN7SVTG9v5jyc');
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const USER = numberedAddress(1);
const MILLION = 1_000_000n;
const ONE = 1n << 60n;

/** The vault charges nothing and has nothing yet of what rounding costs. */
function quietVault() {
  const cluster = new VaultCluster();
  cluster.changeVault(VAULT, { performanceFeeBps: 0n, managementFeeBps: 0n });
  const scene = vaultInstructionAccounts(cluster, VAULT);
  const { tokenMint, sharesMint } = scene.accounts;
  const tokens = cluster.fund(USER, tokenMint, MILLION);
  cluster.fund(USER, sharesMint, 0n);
  return { cluster, scene, tokens };
}

const refused = (code: number) => ({ InstructionError: [0, { Custom: code }] });

/** The share of the net assets that a reserve of that weight is to have, times 2^60. */
const target = (cluster: VaultCluster, weight: bigint): bigint =>
  (referenceNetAssetsSf(cluster, VAULT) * weight) / 100n;

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

test('invest moves a reserve up to its share, and whoever calls pays for the rounding', () => {
  const { cluster, scene, tokens } = quietVault();
  const supply = scene.lending(RESERVE).reserveLiquiditySupply;
  const held = cluster.balance(supply);
  const idle = cluster.balance(scene.accounts.tokenVault);
  expect(cluster.run(investInstruction(scene, USER, { reserve: RESERVE })).error).toBeUndefined();
  expect(distance(investedSf(cluster, VAULT, RESERVE), target(cluster, 60n))).toBeLessThan(
    2n * ONE,
  );
  const { tokenAvailable, vaultAllocationStrategy } = cluster.vault(VAULT);
  expect(cluster.balance(scene.accounts.tokenVault)).toBe(tokenAvailable);
  const paid = MILLION - cluster.balance(tokens);
  expect(paid).toBeLessThanOrEqual(1n);
  expect(cluster.balance(supply) - held).toBe(idle - tokenAvailable + paid);
  expect(vaultAllocationStrategy[0]?.lastInvestSlot).toBe(cluster.at.slot);
});

test('invest moves a reserve down to its share', () => {
  const { cluster, scene } = quietVault();
  cluster.changeAllocation(VAULT, 0, { targetAllocationWeight: 10n });
  cluster.changeAllocation(VAULT, 1, { targetAllocationWeight: 90n });
  expect(cluster.run(investInstruction(scene, USER, { reserve: RESERVE })).error).toBeUndefined();
  expect(distance(investedSf(cluster, VAULT, RESERVE), target(cluster, 10n))).toBeLessThan(
    2n * ONE,
  );
  expect(cluster.run(investInstruction(scene, USER, { reserve: SECOND })).error).toBeUndefined();
  expect(distance(investedSf(cluster, VAULT, SECOND), target(cluster, 90n))).toBeLessThan(2n * ONE);
  const { tokenAvailable, tokenVault } = cluster.vault(VAULT);
  expect(cluster.balance(tokenVault)).toBe(tokenAvailable);
  expect(tokenAvailable).toBeLessThan(3n);
});

test('a reserve without weight is left with nothing', () => {
  const { cluster, scene } = quietVault();
  cluster.changeAllocation(VAULT, 1, { targetAllocationWeight: 0n });
  expect(cluster.run(investInstruction(scene, USER, { reserve: SECOND })).error).toBeUndefined();
  expect(investedSf(cluster, VAULT, SECOND)).toBe(0n);
});

test('a cap stops what a reserve gets', () => {
  const { cluster, scene } = quietVault();
  cluster.changeAllocation(VAULT, 0, { tokenAllocationCap: toLamports(397_000n * MILLION) });
  expect(cluster.run(investInstruction(scene, USER, { reserve: RESERVE })).error).toBeUndefined();
  const lent = investedSf(cluster, VAULT, RESERVE);
  expect(distance(lent, (397_000n * MILLION) << 60n)).toBeLessThan(2n * ONE);
});

test('crank funds pay for the rounding before the caller does', () => {
  const { cluster, scene, tokens } = quietVault();
  cluster.changeVault(VAULT, {
    availableCrankFunds: toLamports(5n),
    tokenAvailable: toLamports(cluster.vault(VAULT).tokenAvailable - 5n),
  });
  for (const reserve of [RESERVE, SECOND]) {
    expect(cluster.run(investInstruction(scene, USER, { reserve })).error).toBeUndefined();
  }
  const { tokenAvailable, availableCrankFunds, tokenVault } = cluster.vault(VAULT);
  expect(cluster.balance(tokens)).toBe(MILLION);
  expect(cluster.balance(tokenVault)).toBe(tokenAvailable + availableCrankFunds);
  expect(availableCrankFunds).toBeLessThanOrEqual(5n);
});

test('invest calls the lending program between two refreshes, with its 40 bytes', () => {
  const { cluster, scene } = quietVault();
  const { inner, logs } = cluster.run(investInstruction(scene, USER, { reserve: RESERVE }));
  const calls = (inner.get(0) ?? []).filter(({ stackHeight }) => stackHeight === 2);
  const starts = calls.map(({ instruction }) => bytesToHex(instruction.data.subarray(0, 8)));
  const lent = starts.indexOf('a9c91e7e06cd6644');
  expect([starts.at(0), starts.at(-1)]).toEqual(['906e1a67a2ccfc93', '906e1a67a2ccfc93']);
  expect(lent).toBe(starts.length - 2);
  expect(calls[lent]?.instruction.data).toHaveLength(40);
  expect(calls[0]?.instruction.data).toEqual(
    Uint8Array.from(Buffer.from('906e1a67a2ccfc9301', 'hex')),
  );
  expect(logs.filter((line) => line.includes('InvestEffects direction=Add'))).toHaveLength(1);
});

test('invest waits its turn, and for enough to move', () => {
  const { cluster, scene } = quietVault();
  const asked = investInstruction(scene, USER, { reserve: RESERVE });
  expect(cluster.run(asked).error).toBeUndefined();
  cluster.wait(149n);
  expect(cluster.run(asked).error).toEqual(refused(7045));
  cluster.wait(1n);
  cluster.changeVault(VAULT, { minInvestAmount: toLamports(10n ** 9n) });
  expect(cluster.run(asked).error).toEqual(refused(7013));
});

test('a vault that asks for the whitelist lends only to what is on it', () => {
  const { cluster, scene } = quietVault();
  cluster.changeVault(VAULT, { allowInvestInWhitelistedReservesOnly: 1 });
  const entry = reserveWhitelistEntryAddress(RESERVE);
  const listed = (whitelistInvest: number, address = entry) =>
    cluster.accounts.set(address, {
      owner: KVAULT_PROGRAM,
      lamports: 10n ** 7n,
      data: reserveWhitelistEntry.encode({
        tokenMint: scene.accounts.tokenMint,
        reserve: RESERVE,
        whitelistAddAllocation: 0,
        whitelistInvest,
        padding: new Uint8Array(62),
      }),
    });
  const asked = investInstruction(scene, USER, { reserve: RESERVE, entry });
  expect(cluster.run(investInstruction(scene, USER, { reserve: RESERVE })).error).toEqual(
    refused(7054),
  );
  expect(cluster.run(asked).error).toEqual(refused(3007));
  listed(0);
  expect(cluster.run(asked).error).toEqual(refused(7054));
  const elsewhere = numberedAddress(77);
  listed(1, elsewhere);
  const misplaced = investInstruction(scene, USER, { reserve: RESERVE, entry: elsewhere });
  expect(cluster.run(misplaced).error).toEqual(refused(2006));
  listed(1);
  expect(cluster.run(asked).error).toBeUndefined();
});

test('cTokens for shares are worth what the shares are, less the penalty and a cToken', () => {
  const { cluster, scene } = quietVault();
  const { sharesMint } = scene.accounts;
  const shares = cluster.fund(USER, sharesMint, 5_000n * MILLION);
  const ctokens = cluster.fund(USER, scene.lending(RESERVE).reserveCollateralMint, 0n);
  cluster.changeVault(VAULT, { withdrawalPenaltyBps: 50n });
  const issued = cluster.vault(VAULT).sharesIssued;
  const asked = redeemInKindInstruction(scene, { user: USER, reserve: RESERVE }, 2_000n * MILLION);
  expect(cluster.run(asked).error).toBeUndefined();
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
  const { vaultAllocationStrategy: places } = cluster.vault(VAULT);
  expect(cluster.balance(scene.lending(RESERVE).ctokenVault)).toBe(places[0]?.ctokenAllocation);
});

test('the admin gets the fees: what is available, then from the reserve', () => {
  const { cluster, scene } = quietVault();
  const account = cluster.fund(ADMIN, scene.accounts.tokenMint, 0n);
  const owed = 100_000n * MILLION;
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(owed) });
  const { logs, error } = cluster.run(withdrawPendingFeesInstruction(scene, ADMIN, SECOND));
  expect(error).toBeUndefined();
  expect(owed - cluster.balance(account)).toBeLessThanOrEqual(1n);
  const { tokenAvailable, pendingFeesSf, vaultAllocationStrategy: places } = cluster.vault(VAULT);
  expect(pendingFeesSf).toBe(0n);
  expect(cluster.balance(scene.accounts.tokenVault)).toBe(tokenAvailable);
  expect(cluster.balance(scene.lending(SECOND).ctokenVault)).toBe(places[1]?.ctokenAllocation);
  expect(logs).toContain(`Program log: Sending back to user ${cluster.balance(account)}`);
});

test('nobody but the admin gets the fees or gives them up', () => {
  const { cluster, scene } = quietVault();
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(MILLION) });
  expect(cluster.run(withdrawPendingFeesInstruction(scene, USER, SECOND)).error).toEqual(
    refused(2001),
  );
  expect(cluster.run(giveUpPendingFeesInstruction(scene, USER, 1n)).error).toEqual(refused(2001));
});

test('fees that are given up raise what the shares own by as much', () => {
  const { cluster, scene } = quietVault();
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(MILLION) });
  expect(cluster.run(giveUpPendingFeesInstruction(scene, ADMIN, 0n)).error).toBeUndefined();
  const before = referenceNetAssetsSf(cluster, VAULT);
  expect(cluster.run(giveUpPendingFeesInstruction(scene, ADMIN, 400_000n)).error).toBeUndefined();
  expect(referenceNetAssetsSf(cluster, VAULT) - before).toBe(400_000n << 60n);
  expect(cluster.run(giveUpPendingFeesInstruction(scene, ADMIN, U64_MAX)).error).toBeUndefined();
  expect(cluster.vault(VAULT).pendingFeesSf).toBe(0n);
  expect(cluster.vault(VAULT).prevAumSf).toBe(referenceNetAssetsSf(cluster, VAULT));
});
