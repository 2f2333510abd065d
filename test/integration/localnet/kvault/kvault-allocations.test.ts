import { getAddressEncoder, getProgramDerivedAddress, address as kitAddress } from '@solana/kit';
import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { updateReserveAllocation } from '#core/protocol/kvault/instructions/update-reserve-allocation.ts';
import { ctokenVault } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster } from '../../../support/vaults/vault-cluster.ts';
import {
  updateAllocationInstruction,
  vaultInstructionAccounts,
  withAccountReplaced,
} from '../../../support/vaults/vault-instructions.ts';

const VAULT = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');
const RESERVE = toAddress('EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9');
const SOL_RESERVE = toAddress('4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm');
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const NEW = numberedAddress(50);
const CTOKENS = ctokenVault(VAULT, NEW);
/** Two years of rent for 165 bytes. */
const RENT = 2_039_280n;

const refused = (code: number) => ({ InstructionError: [0, { Custom: code }] });
const terms = (reserve: Address) => ({ reserve, weight: 7n, cap: 8n });

/** A copy of the first reserve is another one of the same token. */
function vaultAndReserve() {
  const cluster = new VaultCluster();
  cluster.accounts.set(NEW, cluster.get(RESERVE));
  cluster.accounts.set(ADMIN, {
    owner: SYSTEM_PROGRAM,
    lamports: 10n ** 9n,
    data: new Uint8Array(),
  });
  return { cluster, scene: vaultInstructionAccounts(cluster, VAULT) };
}

test('a known reserve gets a new weight and cap', () => {
  const { cluster, scene } = vaultAndReserve();
  const [before] = cluster.vault(VAULT).vaultAllocationStrategy;
  expect(
    cluster.run(updateAllocationInstruction(scene, ADMIN, terms(RESERVE))).error,
  ).toBeUndefined();
  const [after] = cluster.vault(VAULT).vaultAllocationStrategy;
  expect(after).toEqual({ ...before, targetAllocationWeight: 7n, tokenAllocationCap: 8n });
});

test('a new reserve gets a place and an account for its cTokens', async () => {
  const { cluster, scene } = vaultAndReserve();
  const { error, inner } = cluster.run(updateAllocationInstruction(scene, ADMIN, terms(NEW)));
  expect(error).toBeUndefined();
  const bytes = getAddressEncoder();
  const seeds = ['ctoken_vault', bytes.encode(kitAddress(VAULT)), bytes.encode(kitAddress(NEW))];
  const programAddress = kitAddress(KVAULT_PROGRAM);
  const [derived, bump] = await getProgramDerivedAddress({ programAddress, seeds });
  const place = cluster.vault(VAULT).vaultAllocationStrategy[2];
  expect([place?.reserve, place?.ctokenVault, place?.ctokenVaultBump]).toEqual([
    NEW,
    derived,
    BigInt(bump),
  ]);
  const account = cluster.get(CTOKENS);
  expect([account.owner, account.lamports]).toEqual([TOKEN_PROGRAM, RENT]);
  const { mint, owner, amount } = tokenAccount.decode(account);
  const expected = [scene.lending(NEW).reserveCollateralMint, scene.accounts.baseVaultAuthority];
  expect([mint, owner, amount]).toEqual([...expected, 0n]);
  expect(cluster.get(ADMIN).lamports).toBe(10n ** 9n - RENT);
  const called = inner.get(0)?.map(({ instruction }) => instruction.programAddress);
  expect(called).toEqual([SYSTEM_PROGRAM, TOKEN_PROGRAM]);
});

test('lamports that lie at the address already are made use of', () => {
  const { cluster, scene } = vaultAndReserve();
  cluster.accounts.set(CTOKENS, {
    owner: SYSTEM_PROGRAM,
    lamports: 1_000n,
    data: new Uint8Array(),
  });
  expect(cluster.run(updateAllocationInstruction(scene, ADMIN, terms(NEW))).error).toBeUndefined();
  expect(cluster.get(CTOKENS).lamports).toBe(RENT);
  expect(cluster.get(ADMIN).lamports).toBe(10n ** 9n - RENT + 1_000n);
  expect(cluster.balance(CTOKENS)).toBe(0n);
});

test('others than the admins are refused, and reserves of another token', () => {
  const { cluster, scene } = vaultAndReserve();
  const other = numberedAddress(2);
  expect(cluster.run(updateAllocationInstruction(scene, other, terms(RESERVE))).error).toEqual(
    refused(7046),
  );
  expect(cluster.run(updateAllocationInstruction(scene, ADMIN, terms(SOL_RESERVE))).error).toEqual(
    refused(2501),
  );
  cluster.changeVault(VAULT, { allowAllocationsInWhitelistedReservesOnly: 1 });
  expect(cluster.run(updateAllocationInstruction(scene, ADMIN, terms(NEW))).error).toEqual(
    refused(7054),
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
])('another %s (%s) is refused with %i', (name, address, code) => {
  const { cluster, scene } = vaultAndReserve();
  const asked = updateAllocationInstruction(scene, ADMIN, terms(RESERVE));
  const swap = withAccountReplaced(updateReserveAllocation, asked, [name, address]);
  expect(cluster.run(swap).error).toEqual(refused(code));
});
