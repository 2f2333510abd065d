import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { removeAllocation } from '#core/protocol/kvault/instructions/allocation.ts';
import {
  updateGlobalConfig,
  updateGlobalConfigAdmin,
} from '#core/protocol/kvault/instructions/global-config.ts';
import { updateAdmin, updateVaultConfig } from '#core/protocol/kvault/instructions/vault-setup.ts';
import { globalConfig, reserveWhitelistEntry } from '#core/protocol/kvault/layout/global-config.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import {
  globalConfigAddress,
  reserveWhitelistEntryAddress,
  sharesMint,
  tokenVault,
} from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { createAccount } from '#core/protocol/spl/instructions/system-program.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenReserve } from '../../../support/golden/golden-addresses.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import {
  ADMIN,
  administeredVault,
  GLOBAL_ADMIN,
  OTHER,
  USDC,
  VAULT,
} from '../../../support/vaults/administered-vault.ts';
import {
  initVaultInstruction,
  removeAllocationInstruction,
  topupRewardsInstruction,
  updateConfigInstruction,
  whitelistInstruction,
  withdrawRewardsInstruction,
} from '../../../support/vaults/vault-admin-instructions.ts';
import {
  kvaultDepositInstruction,
  updateAllocationInstruction,
  vaultInstructionAccounts,
  withAccountReplaced,
} from '../../../support/vaults/vault-instructions.ts';

const RESERVE = goldenReserve('Main Market', 'USDC').address;
const NEW_VAULT = numberedAddress(62);

test('a changed setting charges fees first', () => {
  const { cluster, shared } = administeredVault();
  const before = cluster.vault(VAULT);
  cluster.wait(1_000n);
  const change = updateConfigInstruction(shared, ADMIN, ['PerformanceFeeBps', 77n]);
  expect(cluster.run(change).error).toBeUndefined();
  const after = cluster.vault(VAULT);
  expect(after.performanceFeeBps).toBe(77n);
  expect(after.lastFeeChargeTimestamp).toBe(cluster.at.unix);
  expect(after.lastFeeChargeTimestamp).toBeGreaterThan(before.lastFeeChargeTimestamp);
});

test.each([
  ['MinDepositAmount', 5n, GLOBAL_ADMIN, undefined],
  ['DepositCap', 5n, GLOBAL_ADMIN, undefined],
  ['DepositCap', 5n, OTHER, 7014],
  ['PerformanceFeeBps', 5n, GLOBAL_ADMIN, 7014],
  ['PerformanceFeeBps', 5n, OTHER, 7014],
  ['PerformanceFeeBps', 10_001n, ADMIN, 7025],
  ['ManagementFeeBps', 1_001n, ADMIN, 7041],
  ['MinWithdrawAmount', 1_001n, ADMIN, 7044],
  ['WithdrawalPenaltyBps', 1_001n, ADMIN, 7052],
  ['WithdrawalPenaltyLamports', 10_001n, ADMIN, 7053],
  ['AllowInvestInWhitelistedReservesOnly', 0n, ADMIN, 7014],
  ['AllowInvestInWhitelistedReservesOnly', 2n, ADMIN, 7055],
  ['AllowInvestInWhitelistedReservesOnly', 1n, ADMIN, undefined],
] as const)('%s = %i by %s ends with %s', (...[name, value, signer, code]) => {
  const { cluster, shared } = administeredVault();
  const { error } = cluster.run(updateConfigInstruction(shared, signer, [name, value]));
  expect(error).toEqual(code === undefined ? undefined : instructionError(code));
});

test('a value of another size fails after the authority is checked, that of a flag before', () => {
  const { cluster, shared } = administeredVault();
  const run = (entry: number, signer: Address) =>
    cluster.run(
      updateVaultConfig.build(KVAULT_PROGRAM, {
        accounts: { ...shared.accounts, signer },
        args: { entry },
        list: [1, 0, 0],
        remaining: shared.remaining,
      }),
    ).error;
  expect(run(0, OTHER)).toEqual(instructionError(7014));
  expect(run(0, ADMIN)).toEqual(instructionError('BorshIoError'));
  expect(run(17, OTHER)).toEqual(instructionError('BorshIoError'));
  expect(run(22, ADMIN)).toEqual(instructionError(102));
});

test.each([
  ['globalConfig', VAULT, 3002],
  ['vaultState', RESERVE, 3007],
  ['klendProgram', KVAULT_PROGRAM, 3008],
] as const)('a setting with another %s fails', (name, address, code) => {
  const { cluster, shared } = administeredVault();
  const change = updateConfigInstruction(shared, ADMIN, ['MinInvestAmount', 5n]);
  const swapped = withAccountReplaced(updateVaultConfig, change, [name, address]);
  expect(cluster.run(swapped).error).toEqual(instructionError(code));
});

test('only the pending admin can take over', () => {
  const { cluster, shared } = administeredVault();
  const accept = (pendingAdmin: Address) =>
    updateAdmin.build(KVAULT_PROGRAM, { accounts: { pendingAdmin, vaultState: VAULT }, args: {} });
  cluster.run(updateConfigInstruction(shared, ADMIN, ['PendingVaultAdmin', OTHER]));
  expect(cluster.run(accept(GLOBAL_ADMIN)).error).toEqual(instructionError(2001));
  expect(cluster.run(accept(OTHER)).error).toBeUndefined();
  expect(cluster.vault(VAULT).vaultAdminAuthority).toBe(OTHER);
  const late = updateConfigInstruction(shared, ADMIN, ['MinInvestAmount', 5n]);
  expect(cluster.run(late).error).toEqual(instructionError(7014));
});

test('an allocation without weight and cTokens can be removed by the admin', () => {
  const { cluster, shared } = administeredVault();
  const remove = (admin: Address) => removeAllocationInstruction(shared, admin, RESERVE);
  expect(cluster.run(remove(ADMIN)).error).toEqual(instructionError(7047));
  cluster.changeAllocation(VAULT, 0, { targetAllocationWeight: 0n, ctokenAllocation: 0n });
  expect(cluster.run(remove(OTHER)).error).toEqual(instructionError(2001));
  const swapped = withAccountReplaced(removeAllocation, remove(ADMIN), ['reserve', VAULT]);
  expect(cluster.run(swapped).error).toEqual(instructionError(3007));
  expect(cluster.run(remove(ADMIN)).error).toBeUndefined();
  const reserves = cluster.vault(VAULT).vaultAllocationStrategy.map(({ reserve }) => reserve);
  expect(reserves).not.toContain(RESERVE);
  expect(cluster.run(remove(ADMIN)).error).toEqual(instructionError(7007));
});

test('rewards are paid to the shareholders over time, and the rest is returned', () => {
  const { cluster, shared } = administeredVault();
  const { tokenVault: account } = cluster.vault(VAULT);
  const held = cluster.balance(account);
  expect(cluster.run(topupRewardsInstruction(shared, OTHER, 1_000n)).error).toBeUndefined();
  expect(cluster.balance(account)).toBe(held + 1_000n);
  cluster.run(updateConfigInstruction(shared, ADMIN, ['RewardPerSecond', 2n]));
  const { tokenAvailable } = cluster.vault(VAULT);
  const since = cluster.at.unix;
  cluster.wait(100n);
  const seconds = cluster.at.unix - since;
  expect(cluster.run(withdrawRewardsInstruction(shared, OTHER, 5_000n)).error).toEqual(
    instructionError(2001),
  );
  expect(cluster.run(withdrawRewardsInstruction(shared, ADMIN, 5_000n)).error).toBeUndefined();
  const issued = 2n * seconds;
  const after = cluster.vault(VAULT);
  expect(after.tokenAvailable).toBe(tokenAvailable + issued);
  expect(after.rewardInfo).toMatchObject({
    rewardsAvailable: 0n,
    cumulativeRewardsDistributedAnalytics: issued,
  });
  const adminTokens = associatedTokenAddress(ADMIN, USDC, TOKEN_PROGRAM);
  expect(cluster.balance(adminTokens)).toBe(10_000n + 1_000n - issued);
  expect(cluster.run(topupRewardsInstruction(shared, OTHER, 0n)).error).toEqual(
    instructionError(7057),
  );
});

test('the whitelist opens a reserve to a vault that requires it', () => {
  const { cluster, shared } = administeredVault();
  cluster.changeVault(VAULT, { allowAllocationsInWhitelistedReservesOnly: 1 });
  cluster.accounts.delete(reserveWhitelistEntryAddress(RESERVE));
  const entry = reserveWhitelistEntryAddress(RESERVE);
  const raise = (given?: Address) =>
    updateAllocationInstruction(shared, ADMIN, {
      reserve: RESERVE,
      weight: 10n ** 9n,
      cap: 2n ** 64n - 1n,
      ...(given && { entry: given }),
    });
  expect(cluster.run(raise()).error).toEqual(instructionError(7054));
  expect(cluster.run(whitelistInstruction(OTHER, RESERVE, ['AddAllocation', 1])).error).toEqual(
    instructionError(2001),
  );
  const allow = whitelistInstruction(GLOBAL_ADMIN, RESERVE, ['AddAllocation', 1]);
  expect(cluster.run(allow).error).toBeUndefined();
  expect(reserveWhitelistEntry.decode(cluster.get(entry))).toMatchObject({
    reserve: RESERVE,
    tokenMint: USDC,
    whitelistAddAllocation: 1,
    whitelistInvest: 0,
  });
  expect(cluster.run(raise(entry)).error).toBeUndefined();
  cluster.run(whitelistInstruction(GLOBAL_ADMIN, RESERVE, ['Invest', 1]));
  expect(reserveWhitelistEntry.decode(cluster.get(entry))).toMatchObject({
    whitelistAddAllocation: 1,
    whitelistInvest: 1,
  });
});

test('the global admin sets penalties up to their limits and passes on its role', () => {
  const { cluster } = administeredVault();
  const update = (mode: number, list: readonly number[]) =>
    cluster.run(
      updateGlobalConfig.build(KVAULT_PROGRAM, {
        accounts: { globalAdmin: GLOBAL_ADMIN, globalConfig: globalConfigAddress() },
        args: { mode },
        list,
      }),
    ).error;
  const config = () => globalConfig.decode(cluster.get(globalConfigAddress()));
  expect(update(2, [232, 3, 0, 0, 0, 0, 0, 0])).toBeUndefined();
  expect(update(2, [233, 3, 0, 0, 0, 0, 0, 0])).toEqual(instructionError(7052));
  expect(config().withdrawalPenaltyBps).toBe(1_000n);
  const other = new Uint8Array(32).fill(9);
  expect(update(0, [...other])).toBeUndefined();
  const accept = updateGlobalConfigAdmin.build(KVAULT_PROGRAM, {
    accounts: { pendingAdmin: config().pendingAdmin, globalConfig: globalConfigAddress() },
    args: {},
  });
  expect(cluster.run(accept).error).toBeUndefined();
  expect(config().globalAdmin).toBe(config().pendingAdmin);
  expect(update(2, [1, 0, 0, 0, 0, 0, 0, 0])).toEqual(instructionError(2001));
});

test('a new vault takes deposits after its first 1,000 lamports', () => {
  const { cluster } = administeredVault();
  const space = BigInt(vaultState.size);
  const create = createAccount.build(SYSTEM_PROGRAM, {
    accounts: { from: ADMIN, to: NEW_VAULT },
    args: { lamports: toLamports((space + 128n) * 6_960n), space, owner: KVAULT_PROGRAM },
  });
  const init = initVaultInstruction(ADMIN, NEW_VAULT, USDC);
  expect(cluster.run(create, init).error).toBeUndefined();
  expect(cluster.vault(NEW_VAULT)).toMatchObject({
    vaultAdminAuthority: ADMIN,
    allocationAdmin: ADMIN,
    tokenMintDecimals: 6n,
    sharesMintDecimals: 6n,
    tokenAvailable: 1_000n,
    sharesIssued: 1_000n,
    creationTimestamp: cluster.at.unix,
  });
  expect(cluster.balance(tokenVault(NEW_VAULT))).toBe(1_000n);
  expect(mint.decode(cluster.get(sharesMint(NEW_VAULT)))).toMatchObject({
    supply: 0n,
    decimals: 6,
    freezeAuthorityTag: 0,
  });
  expect(cluster.run(init).error).toEqual(instructionError(2013));
  cluster.fund(OTHER, sharesMint(NEW_VAULT), 0n);
  const shared = vaultInstructionAccounts(cluster, NEW_VAULT);
  expect(cluster.run(kvaultDepositInstruction(shared, OTHER, 500n)).error).toBeUndefined();
  expect(cluster.supply(sharesMint(NEW_VAULT))).toBe(500n);
});
