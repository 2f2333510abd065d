import { expect, test } from 'vitest';
import { type Address, addressToBytes } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { type AccountMeta, type Instruction, READ, SIGN } from '#core/base/solana/instruction.ts';
import {
  buy,
  buyWithMinSharesOut,
  depositWithMinSharesOut,
  sell,
} from '#core/protocol/kvault/instructions/shares.ts';
import { updateVaultConfig } from '#core/protocol/kvault/instructions/vault-setup.ts';
import { eventAuthority } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { kvaultReleases } from '#core/protocol/kvault/releases.ts';
import { createKvaultProgram } from '#localnet/programs/kvault/kvault-program.ts';
import { goldenReserve } from '../../../support/golden/golden-addresses.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import {
  ADMIN,
  administeredVault,
  GLOBAL_ADMIN,
  OTHER,
  VAULT,
} from '../../../support/vaults/administered-vault.ts';
import { updateConfigInstruction } from '../../../support/vaults/vault-admin-instructions.ts';
import { vaultPrograms } from '../../../support/vaults/vault-cluster.ts';
import {
  investInstruction,
  kvaultDepositInstruction,
  kvaultWithdrawInstruction,
  redeemInKindInstruction,
  type VaultInstructionAccounts,
  withdrawFromAvailableInstruction,
} from '../../../support/vaults/vault-instructions.ts';

const RESERVE = goldenReserve('Main Market', 'USDC').address;
const AUTHORITY = numberedAddress(77);
const FROM = { user: OTHER, reserve: RESERVE };

function permissionedVault() {
  const { cluster, shared } = administeredVault();
  cluster.fund(OTHER, shared.accounts.sharesMint, 1_000_000n);
  cluster.fund(OTHER, shared.lending(RESERVE).reserveCollateralMint, 0n);
  cluster.changeVault(VAULT, { permissioningAuthority: AUTHORITY });
  return { cluster, shared };
}

const withSigner = (
  shared: VaultInstructionAccounts,
  address: Address = AUTHORITY,
  role: AccountMeta['role'] = SIGN,
): VaultInstructionAccounts => ({ ...shared, remaining: [...shared.remaining, { address, role }] });

const callOf = (shared: VaultInstructionAccounts) => ({
  accounts: { ...shared.accounts, ...shared.ofUser(OTHER) },
  remaining: shared.remaining,
});
const maxAmount = toLamports(2_000n);
const sharesAmount = 2_000n;

const userInstructions: readonly (readonly [
  name: string,
  build: (shared: VaultInstructionAccounts) => Instruction,
])[] = [
  ['deposit', (shared) => kvaultDepositInstruction(shared, OTHER, maxAmount)],
  ['buy', (shared) => buy.build(KVAULT_PROGRAM, { ...callOf(shared), args: { maxAmount } })],
  [
    'depositWithMinSharesOut',
    (shared) =>
      depositWithMinSharesOut.build(KVAULT_PROGRAM, {
        ...callOf(shared),
        args: { maxAmount, minSharesOut: 1n },
      }),
  ],
  [
    'buyWithMinSharesOut',
    (shared) =>
      buyWithMinSharesOut.build(KVAULT_PROGRAM, {
        ...callOf(shared),
        args: { maxAmount, minSharesOut: 1n },
      }),
  ],
  ['withdraw', (shared) => kvaultWithdrawInstruction(shared, FROM, sharesAmount)],
  [
    'sell',
    (shared) =>
      sell.build(KVAULT_PROGRAM, {
        accounts: {
          ...callOf(shared).accounts,
          ...shared.lending(RESERVE),
          reserveVaultState: VAULT,
          outerEventAuthority: eventAuthority(),
          outerProgram: KVAULT_PROGRAM,
        },
        args: { sharesAmount },
        remaining: shared.remaining,
      }),
  ],
  [
    'withdrawFromAvailable',
    (shared) => withdrawFromAvailableInstruction(shared, OTHER, sharesAmount),
  ],
  ['redeemInKind', (shared) => redeemInKindInstruction(shared, FROM, sharesAmount)],
];

test.each(userInstructions)(
  '%s needs the permissioning authority as its last signer',
  (_, build) => {
    const { cluster, shared } = permissionedVault();
    const run = (accounts: VaultInstructionAccounts) => cluster.run(build(accounts)).error;
    expect(run(shared)).toEqual(instructionError(7065));
    expect(run({ ...shared, remaining: [] })).toEqual(instructionError(7065));
    expect(run(withSigner(shared, OTHER))).toEqual(instructionError(7065));
    expect(run(withSigner(shared, AUTHORITY, READ))).toEqual(instructionError(3010));
    const beforeMarkets = withSigner({ ...shared, remaining: shared.remaining.slice(0, 2) });
    const remaining = [...beforeMarkets.remaining, ...shared.remaining.slice(2)];
    expect(run({ ...shared, remaining })).toEqual(instructionError(7065));
    expect(run(withSigner(shared))).toBeUndefined();
  },
);

test('a zero deposit is rejected before the authority is read', () => {
  const { cluster, shared } = permissionedVault();
  expect(cluster.run(kvaultDepositInstruction(shared, OTHER, 0n)).error).toEqual(
    instructionError(7000),
  );
});

test('settings and invest do not take the authority', () => {
  const { cluster, shared } = permissionedVault();
  const change = updateConfigInstruction(shared, ADMIN, ['MinDepositAmount', 7n]);
  expect(cluster.run(change).error).toBeUndefined();
  expect(cluster.run(investInstruction(shared, OTHER, { reserve: RESERVE })).error).not.toEqual(
    instructionError(7065),
  );
});

test('setting 21 is the authority, by the admin of the vault or of the program', () => {
  const { cluster, shared } = administeredVault();
  const set = (signer: Address) =>
    updateVaultConfig.build(KVAULT_PROGRAM, {
      accounts: { ...shared.accounts, signer },
      args: { entry: 21 },
      list: [...addressToBytes(signer)],
      remaining: shared.remaining,
    });
  expect(cluster.run(set(OTHER)).error).toEqual(instructionError(7014));
  for (const admin of [ADMIN, GLOBAL_ADMIN]) {
    expect(cluster.run(set(admin)).error).toBeUndefined();
    const { data } = cluster.get(VAULT);
    expect(data.subarray(58_840, 58_872)).toEqual(addressToBytes(admin));
  }
});

test('release 2.2.2 knows neither the authority nor its setting', () => {
  const { cluster, shared } = permissionedVault();
  const release = kvaultReleases.find(({ version }) => version === '2.2.2');
  if (release === undefined) throw new Error('no such release');
  cluster.programs = vaultPrograms([[KVAULT_PROGRAM, createKvaultProgram(release.rules)]]);
  expect(cluster.run(kvaultDepositInstruction(shared, OTHER, 2_000n)).error).toBeUndefined();
  const change = updateConfigInstruction(shared, ADMIN, ['PermissioningAuthority', OTHER]);
  expect(cluster.run(change).error).toEqual(instructionError(102));
});
