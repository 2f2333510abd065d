import { expect, test } from 'vitest';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import {
  investWithMaxAmount,
  updateReserveAllocationV2,
} from '#core/protocol/kvault/instructions/allocation.ts';
import { depositWithMinSharesOut } from '#core/protocol/kvault/instructions/shares.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { kvaultReleases } from '#core/protocol/kvault/releases.ts';
import { transferChecked } from '#core/protocol/spl/instructions/token-transfer.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { createKvaultProgram } from '#localnet/programs/kvault/kvault-program.ts';
import { standardPrograms } from '#localnet/programs/spl/standard-programs.ts';
import type { Program } from '#localnet/runtime/program.ts';
import { readAccount, writeAccount } from '#localnet/runtime/typed-accounts.ts';
import { goldenReserve } from '../../../support/golden/golden-addresses.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import {
  ADMIN,
  administeredVault,
  OTHER,
  USDC,
  VAULT,
} from '../../../support/vaults/administered-vault.ts';
import { updateConfigInstruction } from '../../../support/vaults/vault-admin-instructions.ts';
import { vaultPrograms } from '../../../support/vaults/vault-cluster.ts';
import {
  investInstruction,
  kvaultDepositInstruction,
  type VaultInstructionAccounts,
} from '../../../support/vaults/vault-instructions.ts';

const RESERVE = goldenReserve('Main Market', 'USDC').address;
const MILLION = 1_000_000n;
const OLDEST = vaultPrograms([[KVAULT_PROGRAM, createKvaultProgram(kvaultReleases[0].rules)]]);

const depositFor = (shared: VaultInstructionAccounts, maxAmount: bigint, minSharesOut: bigint) =>
  depositWithMinSharesOut.build(KVAULT_PROGRAM, {
    accounts: { ...shared.accounts, ...shared.ofUser(OTHER) },
    args: { maxAmount: toLamports(maxAmount), minSharesOut },
    remaining: shared.remaining,
  });

const investAtMost = (shared: VaultInstructionAccounts, maxAmount: bigint): Instruction => {
  const { accounts } = investInstruction(shared, OTHER, { reserve: RESERVE });
  const { data } = investWithMaxAmount.build(KVAULT_PROGRAM, {
    accounts: investWithMaxAmount.decode(KVAULT_PROGRAM, {
      data: new Uint8Array([...investWithMaxAmount.discriminator, ...new Uint8Array(8)]),
      accounts: accounts.map(({ address }) => address),
    }).accounts,
    args: { maxAmount: toLamports(maxAmount) },
  });
  return { programAddress: KVAULT_PROGRAM, accounts, data };
};

const updateCaps = (shared: VaultInstructionAccounts, ctokenAllocationCap: bigint): Instruction =>
  updateReserveAllocationV2.build(KVAULT_PROGRAM, {
    accounts: {
      ...shared.accounts,
      ...shared.lending(RESERVE),
      signer: ADMIN,
      reserveWhitelistEntry: undefined,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    args: { weight: 0n, cap: toLamports(0n), ctokenAllocationCap },
  });

test('a deposit is cut to the cap of the vault, unless it would issue too few shares', () => {
  const { cluster, shared } = administeredVault();
  cluster.fund(OTHER, shared.accounts.sharesMint, 0n);
  cluster.changeVault(VAULT, {
    performanceFeeBps: 0n,
    managementFeeBps: 0n,
    minDepositAmount: toLamports(0n),
  });
  // refreshes the reserves, so that the AUM of this slot is in the vault
  cluster.run(updateConfigInstruction(shared, ADMIN, ['MinInvestAmount', 0n]));
  const { prevAumSf } = cluster.vault(VAULT);
  const aum = (prevAumSf + (1n << 60n) - 1n) >> 60n;
  cluster.changeVault(VAULT, { depositCap: toLamports(aum + 1_000n) });
  expect(cluster.run(depositFor(shared, 5_000n, 2_000n)).error).toEqual(instructionError(7064));
  expect(cluster.run(depositFor(shared, 5_000n, 900n)).error).toBeUndefined();
  const paid = 10_000n - cluster.balance(shared.ofUser(OTHER).userTokenAta);
  expect(paid).toBeGreaterThan(990n);
  expect(paid).toBeLessThanOrEqual(1_000n);
});

/** A token program that takes one lamport of every transfer, as a mint with a transfer fee does. */
const taxingToken: Program = {
  computeUnits: () => 1_000,
  run(call) {
    new Map(standardPrograms).get(TOKEN_PROGRAM)?.run(call);
    if (call.data[0] !== transferChecked.discriminator[0]) return;
    const address = call.metas[2]?.address ?? TOKEN_PROGRAM;
    const fields = readAccount(call, tokenAccount, address);
    const amount = toLamports(fields.amount - 1n);
    writeAccount(call, tokenAccount, { address, fields: { ...fields, amount } });
  },
};

test('a deposit that does not arrive in full is rejected since 2.2', () => {
  const { cluster, shared } = administeredVault();
  cluster.fund(OTHER, shared.accounts.sharesMint, 0n);
  const deposit = kvaultDepositInstruction(shared, OTHER, 5_000n);
  cluster.programs = vaultPrograms([[TOKEN_PROGRAM, taxingToken]]);
  expect(cluster.run(deposit).error).toEqual(instructionError(7029));
  cluster.programs = new Map([...OLDEST, [TOKEN_PROGRAM, taxingToken]]);
  expect(cluster.run(deposit).error).toBeUndefined();
});

function leavingVault() {
  const { cluster, shared } = administeredVault();
  cluster.fund(OTHER, USDC, 10n * MILLION);
  cluster.changeAllocation(VAULT, 0, { targetAllocationWeight: 0n });
  cluster.changeVault(VAULT, { minInvestDelaySlots: 0n, availableCrankFunds: toLamports(5n) });
  return { cluster, shared };
}

test('investWithMaxAmount moves a part, at the cost of the caller and without a delay', () => {
  const { cluster, shared } = leavingVault();
  const before = cluster.vault(VAULT);
  expect(cluster.run(investAtMost(shared, 0n)).error).toEqual(instructionError(7063));
  expect(cluster.run(investAtMost(shared, 2n * MILLION)).error).toBeUndefined();
  const after = cluster.vault(VAULT);
  const [from, to] = [before, after].map((vault) => vault.vaultAllocationStrategy[0]);
  expect(after.availableCrankFunds).toBe(5n);
  expect(to?.lastInvestSlot).toBe(from?.lastInvestSlot);
  const moved = after.tokenAvailable - before.tokenAvailable;
  expect(moved).toBeGreaterThan(1_999_990n);
  expect(moved).toBeLessThanOrEqual(2n * MILLION);
  const all = cluster.run(investInstruction(shared, OTHER, { reserve: RESERVE }));
  expect(all.error).toBeUndefined();
  expect(cluster.vault(VAULT).vaultAllocationStrategy[0]).toMatchObject({
    ctokenAllocation: 0n,
    lastInvestSlot: cluster.at.slot,
  });
});

test('the call of invest to the lending program has 16 bytes of data, 40 before 2.2', () => {
  const sizes = [vaultPrograms(), OLDEST].map((programs) => {
    const { cluster, shared } = leavingVault();
    cluster.programs = programs;
    const { inner } = cluster.run(investInstruction(shared, OTHER, { reserve: RESERVE }));
    const calls = (inner.get(0) ?? []).map(({ instruction }) => instruction);
    // between the two refreshes, whose data has one argument of one byte
    return calls
      .filter(({ programAddress, data }) => programAddress === KLEND_PROGRAM && data.length > 9)
      .map(({ data }) => data.length);
  });
  expect(sizes).toEqual([[16], [40]]);
});

test.each([
  ['depositWithMinSharesOut', (shared: VaultInstructionAccounts) => depositFor(shared, 5_000n, 1n)],
  ['investWithMaxAmount', (shared: VaultInstructionAccounts) => investAtMost(shared, 1n)],
  ['updateReserveAllocationV2', (shared: VaultInstructionAccounts) => updateCaps(shared, 1n)],
])('release 2.1.1 has no %s', (_, build) => {
  const { cluster, shared } = administeredVault();
  cluster.programs = OLDEST;
  expect(cluster.run(build(shared)).error).toEqual(instructionError(101));
});

test.each([
  [60n, 7054],
  [0n, 7054],
  [U64_MAX, 7054],
  [50n, undefined],
  [40n, undefined],
])('a cap of 50 cTokens can become %i without a whitelist entry: %s', (cap, code) => {
  const { cluster, shared } = administeredVault();
  cluster.changeVault(VAULT, { allowAllocationsInWhitelistedReservesOnly: 1 });
  cluster.changeAllocation(VAULT, 0, { ctokenAllocationCap: 50n });
  const { error } = cluster.run(updateCaps(shared, cap));
  expect(error).toEqual(code === undefined ? undefined : instructionError(code));
});
