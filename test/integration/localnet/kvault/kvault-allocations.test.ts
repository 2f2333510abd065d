import { getAddressEncoder, getProgramDerivedAddress, address as kitAddress } from '@solana/kit';
import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { updateReserveAllocation } from '#core/protocol/kvault/instructions/allocation.ts';
import { ctokenVault } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenReserve, goldenVault } from '../../../support/golden/golden-addresses.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster } from '../../../support/vaults/vault-cluster.ts';
import {
  updateAllocationInstruction,
  vaultInstructionAccounts,
  withAccountReplaced,
} from '../../../support/vaults/vault-instructions.ts';

const VAULT = goldenVault('Steady USDC').address;
const RESERVE = goldenReserve('Main Market', 'USDC').address;
const SOL_RESERVE = goldenReserve('Main Market', 'SOL').address;
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const NEW = numberedAddress(50);
const CTOKENS = ctokenVault(VAULT, NEW);
/** Two years of rent for 165 bytes. */
const RENT = 2_039_280n;

const terms = (reserve: Address) => ({ reserve, weight: 7n, cap: 8n });

/** Adds a copy of the first reserve as another reserve of the same token. */
function vaultAndReserve() {
  const cluster = new VaultCluster();
  cluster.accounts.set(NEW, cluster.get(RESERVE));
  cluster.accounts.set(ADMIN, {
    owner: SYSTEM_PROGRAM,
    lamports: 10n ** 9n,
    data: new Uint8Array(),
  });
  return { cluster, setup: vaultInstructionAccounts(cluster, VAULT) };
}

test('an existing reserve gets a new weight and cap', () => {
  const { cluster, setup } = vaultAndReserve();
  const [before] = cluster.vault(VAULT).vaultAllocationStrategy;
  expect(
    cluster.run(updateAllocationInstruction(setup, ADMIN, terms(RESERVE))).error,
  ).toBeUndefined();
  const [after] = cluster.vault(VAULT).vaultAllocationStrategy;
  expect(after).toEqual({ ...before, targetAllocationWeight: 7n, tokenAllocationCap: 8n });
});

test('a new reserve gets an allocation and a cToken account', async () => {
  const { cluster, setup } = vaultAndReserve();
  const { error, inner } = cluster.run(updateAllocationInstruction(setup, ADMIN, terms(NEW)));
  expect(error).toBeUndefined();
  const bytes = getAddressEncoder();
  const seeds = ['ctoken_vault', bytes.encode(kitAddress(VAULT)), bytes.encode(kitAddress(NEW))];
  const programAddress = kitAddress(KVAULT_PROGRAM);
  const [derived, bump] = await getProgramDerivedAddress({ programAddress, seeds });
  const allocation = cluster.vault(VAULT).vaultAllocationStrategy[2];
  expect([allocation?.reserve, allocation?.ctokenVault, allocation?.ctokenVaultBump]).toEqual([
    NEW,
    derived,
    BigInt(bump),
  ]);
  const account = cluster.get(CTOKENS);
  expect([account.owner, account.lamports]).toEqual([TOKEN_PROGRAM, RENT]);
  const { mint, owner, amount } = tokenAccount.decode(account);
  const expected = [setup.lending(NEW).reserveCollateralMint, setup.accounts.baseVaultAuthority];
  expect([mint, owner, amount]).toEqual([...expected, 0n]);
  expect(cluster.get(ADMIN).lamports).toBe(10n ** 9n - RENT);
  const called = inner.get(0)?.map(({ instruction }) => instruction.programAddress);
  expect(called).toEqual([SYSTEM_PROGRAM, TOKEN_PROGRAM]);
});

test('existing lamports at the address are used', () => {
  const { cluster, setup } = vaultAndReserve();
  cluster.accounts.set(CTOKENS, {
    owner: SYSTEM_PROGRAM,
    lamports: 1_000n,
    data: new Uint8Array(),
  });
  expect(cluster.run(updateAllocationInstruction(setup, ADMIN, terms(NEW))).error).toBeUndefined();
  expect(cluster.get(CTOKENS).lamports).toBe(RENT);
  expect(cluster.get(ADMIN).lamports).toBe(10n ** 9n - RENT + 1_000n);
  expect(cluster.balance(CTOKENS)).toBe(0n);
});

test('other signers and reserves of other tokens are rejected', () => {
  const { cluster, setup } = vaultAndReserve();
  const other = numberedAddress(2);
  const funds = { owner: SYSTEM_PROGRAM, lamports: 10n ** 9n, data: new Uint8Array() };
  cluster.accounts.set(other, funds);
  expect(cluster.run(updateAllocationInstruction(setup, other, terms(RESERVE))).error).toEqual(
    instructionError(7046),
  );
  expect(cluster.run(updateAllocationInstruction(setup, ADMIN, terms(SOL_RESERVE))).error).toEqual(
    instructionError(2501),
  );
  expect(cluster.run(updateAllocationInstruction(setup, other, terms(SOL_RESERVE))).error).toEqual(
    instructionError(7046),
  );
  cluster.changeVault(VAULT, { allowAllocationsInWhitelistedReservesOnly: 1 });
  expect(cluster.run(updateAllocationInstruction(setup, ADMIN, terms(NEW))).error).toEqual(
    instructionError(7054),
  );
});

test.each<[string, Address, number]>([
  ['vaultState', RESERVE, 3007],
  ['baseVaultAuthority', numberedAddress(3), 2015],
  ['reserveCollateralMint', toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), 2014],
  ['reserve', VAULT, 3007],
  ['ctokenVault', numberedAddress(3), 2006],
  ['reserveCollateralTokenProgram', SYSTEM_PROGRAM, 3008],
  ['systemProgram', TOKEN_PROGRAM, 3008],
  ['rent', numberedAddress(3), 3015],
])('another %s (%s) fails with %i', (name, address, code) => {
  const { cluster, setup } = vaultAndReserve();
  const instruction = updateAllocationInstruction(setup, ADMIN, terms(RESERVE));
  const swap = withAccountReplaced(updateReserveAllocation, instruction, [name, address]);
  expect(cluster.run(swap).error).toEqual(instructionError(code));
});
