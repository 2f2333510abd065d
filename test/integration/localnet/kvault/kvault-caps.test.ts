import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { updateReserveAllocationV2 } from '#core/protocol/kvault/instructions/allocation.ts';
import { depositWithMinSharesOut } from '#core/protocol/kvault/instructions/shares.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenReserve } from '../../../support/golden/golden-addresses.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import {
  ADMIN,
  administeredVault,
  OTHER,
  VAULT,
} from '../../../support/vaults/administered-vault.ts';
import { updateConfigInstruction } from '../../../support/vaults/vault-admin-instructions.ts';

const RESERVE = goldenReserve('Main Market', 'USDC').address;

test('a deposit below the requested shares, or into a vault at its cap, is rejected', () => {
  const { cluster, shared } = administeredVault();
  cluster.fund(OTHER, shared.accounts.sharesMint, 0n);
  const depositFor = (minSharesOut: bigint) =>
    depositWithMinSharesOut.build(KVAULT_PROGRAM, {
      accounts: { ...shared.accounts, ...shared.ofUser(OTHER) },
      args: { maxAmount: toLamports(5_000n), minSharesOut },
      remaining: shared.remaining,
    });
  expect(cluster.run(depositFor(5_001n)).error).toEqual(instructionError(7064));
  expect(cluster.run(depositFor(1_000n)).error).toBeUndefined();
  cluster.run(updateConfigInstruction(shared, ADMIN, ['DepositCap', 1n]));
  expect(cluster.run(depositFor(0n)).error).toEqual(instructionError(7062));
});

test('the second version of an allocation sets the cap in cTokens', () => {
  const { cluster, shared } = administeredVault();
  const update = updateReserveAllocationV2.build(KVAULT_PROGRAM, {
    accounts: {
      ...shared.accounts,
      ...shared.lending(RESERVE),
      signer: ADMIN,
      reserveWhitelistEntry: undefined,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    args: { weight: 7n, cap: toLamports(8n), ctokenAllocationCap: 9n },
  });
  expect(cluster.run(update).error).toBeUndefined();
  expect(cluster.vault(VAULT).vaultAllocationStrategy[0]).toMatchObject({
    targetAllocationWeight: 7n,
    tokenAllocationCap: 8n,
    ctokenAllocationCap: 9n,
  });
});
