import { expect, test } from 'vitest';
import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { deposit, withdraw } from '#core/protocol/kvault/instructions/shares.ts';
import { globalConfig } from '#core/protocol/kvault/layout/global-config.ts';
import { eventAuthority, globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { kvaultReleases } from '#core/protocol/kvault/releases.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { createKvaultProgram } from '#localnet/programs/kvault/kvault-program.ts';
import type { InstructionError } from '#localnet/runtime/transaction-errors.ts';
import { goldenReserve, goldenVault } from '../../../support/golden/golden-addresses.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster, vaultPrograms } from '../../../support/vaults/vault-cluster.ts';
import {
  kvaultDepositInstruction,
  kvaultWithdrawInstruction,
  redeemInKindInstruction,
  vaultInstructionAccounts,
  withAccountReplaced,
  withdrawFromAvailableInstruction,
} from '../../../support/vaults/vault-instructions.ts';

const VAULT = goldenVault('Steady USDC').address;
const SOL_VAULT = goldenVault('SOL Earn').address;
const RESERVE = goldenReserve('Main Market', 'USDC').address;
const SECOND = goldenReserve('JLP Market', 'USDC').address;
const USER = numberedAddress(1);
const OTHER = numberedAddress(2);
const MILLION = 1_000_000n;

/** A wallet with tokens and shares; no other wallet has an account. */
function saver(shares = MILLION) {
  const cluster = new VaultCluster();
  const setup = vaultInstructionAccounts(cluster, VAULT);
  const { tokenMint, sharesMint } = setup.accounts;
  cluster.fund(USER, tokenMint, 1_000n * MILLION);
  cluster.fund(USER, sharesMint, shares);
  return { cluster, setup };
}

/** Fails with the error, changes nothing, and succeeds without the modification. */
function expectRejected(
  cluster: VaultCluster,
  instruction: Instruction,
  code: number | InstructionError,
): void {
  const before = new Map(cluster.accounts);
  const { error, logs } = cluster.run(instruction);
  expect([error, logs.at(-1)]).toEqual([instructionError(code), expect.stringContaining('failed')]);
  expect(cluster.accounts).toEqual(before);
}

/** Changes the penalty of the global config, in lamports. */
function changePenalty(cluster: VaultCluster, lamports: bigint): void {
  const address = globalConfigAddress();
  const account = cluster.get(address);
  const fields = {
    ...globalConfig.decode(account),
    withdrawalPenaltyLamports: toLamports(lamports),
    withdrawalPenaltyBps: 0n,
  };
  cluster.accounts.set(address, { ...account, data: globalConfig.encode(fields) });
}

test('unmodified instructions succeed', () => {
  const { cluster, setup } = saver();
  const from = { user: USER, reserve: RESERVE };
  cluster.fund(USER, setup.lending(RESERVE).reserveCollateralMint, 0n);
  for (const instruction of [
    kvaultDepositInstruction(setup, USER, MILLION),
    withdrawFromAvailableInstruction(setup, USER, 100_000n),
    kvaultWithdrawInstruction(setup, from, 100_000n),
    redeemInKindInstruction(setup, from, 100_000n),
  ]) {
    expect(cluster.run(instruction).error).toBeUndefined();
  }
});

test.each([
  ['nothing', 0n, 7000],
  ['less than the minimum', 999n, 7026],
  ['more than the balance', 1_001n * MILLION, 1],
])('a deposit of %s fails', (_, amount, code) => {
  const { cluster, setup } = saver();
  expectRejected(cluster, kvaultDepositInstruction(setup, USER, amount), code);
});

test('a deposit worth less than one share fails', () => {
  const { cluster, setup } = saver();
  cluster.changeVault(VAULT, {
    minDepositAmount: toLamports(0n),
    sharesIssued: 720_000n,
  });
  expectRejected(cluster, kvaultDepositInstruction(setup, USER, 1_000n), 7038);
});

test('a deposit that does not cover the crank fee panics', () => {
  const { cluster, setup } = saver();
  cluster.changeVault(VAULT, { crankFundFeePerReserve: toLamports(10_000n) });
  expectRejected(
    cluster,
    kvaultDepositInstruction(setup, USER, 19_999n),
    'ProgramFailedToComplete',
  );
  expect(cluster.run(kvaultDepositInstruction(setup, USER, 30_000n)).error).toBeUndefined();
  expect(cluster.vault(VAULT).availableCrankFunds).toBe(20_000n);
});

test('a vault with worthless shares accepts no deposit and pays nothing', () => {
  const { cluster, setup } = saver();
  for (const index of [0, 1]) cluster.changeAllocation(VAULT, index, { ctokenAllocation: 0n });
  cluster.changeVault(VAULT, { tokenAvailable: toLamports(0n) });
  expectRejected(cluster, kvaultDepositInstruction(setup, USER, MILLION), 7042);
  expectRejected(cluster, withdrawFromAvailableInstruction(setup, USER, MILLION), 7042);
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(1n) });
  expectRejected(cluster, kvaultDepositInstruction(setup, USER, MILLION), 7037);
});

test.each<[string, Address, number]>([
  ['tokenVault', goldenVault('SOL Earn').tokenVault, 2001],
  ['tokenVault', OTHER, 3012],
  ['tokenVault', RESERVE, 3007],
  ['tokenMint', toAddress('So11111111111111111111111111111111111111112'), 2001],
  ['sharesMint', goldenVault('SOL Earn').sharesMint, 2001],
  ['baseVaultAuthority', OTHER, 2001],
  ['vaultState', RESERVE, 3007],
  ['vaultState', OTHER, 3007],
  ['klendProgram', TOKEN_PROGRAM, 3008],
  ['tokenProgram', KLEND_PROGRAM, 3008],
  ['sharesTokenProgram', KLEND_PROGRAM, 3008],
  ['userTokenAta', goldenVault('Steady USDC').tokenVault, 2015],
  ['userSharesAta', OTHER, 3012],
  ['eventAuthority', OTHER, 2006],
])('a deposit with another %s (%s) fails with %i', (name, address, code) => {
  const { cluster, setup } = saver();
  const instruction = kvaultDepositInstruction(setup, USER, MILLION);
  expectRejected(cluster, withAccountReplaced(deposit, instruction, [name, address]), code);
});

test('shares are not accepted as tokens', () => {
  const { cluster, setup } = saver();
  const instruction = kvaultDepositInstruction(setup, USER, MILLION);
  const { userSharesAta } = setup.ofUser(USER);
  expectRejected(
    cluster,
    withAccountReplaced(deposit, instruction, ['userTokenAta', userSharesAta]),
    2014,
  );
});

test("the reserves must be listed in the vault's order", () => {
  const { cluster, setup } = saver();
  const instruction = (remaining: typeof setup.remaining) =>
    kvaultDepositInstruction({ ...setup, remaining }, USER, MILLION);
  const [first, second, ...markets] = setup.remaining;
  if (first === undefined || second === undefined) throw new Error('no reserves');
  expectRejected(cluster, instruction([]), 7009);
  expectRejected(cluster, instruction([first]), 7009);
  expectRejected(cluster, instruction([second, first, ...markets]), 7010);
  expectRejected(cluster, instruction([...markets, first, second]), 'ProgramFailedToComplete');
  expectRejected(cluster, instruction([first, second]), 'MissingAccount');
  const readOnly = [{ ...first, role: 0 as const }, second, ...markets];
  expectRejected(cluster, instruction(readOnly), 'PrivilegeEscalation');
});

test('zero or worthless shares are rejected', () => {
  const none = saver(0n);
  expectRejected(none.cluster, withdrawFromAvailableInstruction(none.setup, USER, U64_MAX), 7040);
  const few = saver();
  expectRejected(few.cluster, withdrawFromAvailableInstruction(few.setup, USER, 0n), 7040);
  few.cluster.changeVault(VAULT, { sharesIssued: 1n << 60n });
  expectRejected(few.cluster, withdrawFromAvailableInstruction(few.setup, USER, 1n), 7050);
});

test('before 2.2 the reserves are refreshed first, and zero shares rejected before their order', () => {
  const { cluster, setup } = saver();
  cluster.programs = vaultPrograms([
    [KVAULT_PROGRAM, createKvaultProgram(kvaultReleases[0].rules)],
  ]);
  expectRejected(
    cluster,
    withdrawFromAvailableInstruction({ ...setup, remaining: [] }, USER, 1n),
    7043,
  );
  const [first, second, ...markets] = setup.remaining;
  if (first === undefined || second === undefined) throw new Error('no reserves');
  const swapped = { ...setup, remaining: [second, first, ...markets] };
  expectRejected(cluster, withdrawFromAvailableInstruction(swapped, USER, 0n), 7040);
  expectRejected(cluster, withdrawFromAvailableInstruction(swapped, USER, 1_000n), 7010);
});

test("a payout must exceed the vault's minimum", () => {
  const { cluster, setup } = saver();
  expectRejected(cluster, withdrawFromAvailableInstruction(setup, USER, 100n), 7004);
  cluster.changeVault(VAULT, { tokenAvailable: toLamports(0n) });
  expectRejected(cluster, withdrawFromAvailableInstruction(setup, USER, MILLION), 7004);
  changePenalty(cluster, 0n);
  expectRejected(cluster, withdrawFromAvailableInstruction(setup, USER, MILLION), 7039);
});

test('a penalty that consumes the payout is rejected, whether set by the vault or the config', () => {
  const { cluster, setup } = saver();
  cluster.changeVault(VAULT, { withdrawalPenaltyLamports: toLamports(2n * MILLION) });
  expectRejected(cluster, withdrawFromAvailableInstruction(setup, USER, MILLION), 7049);
  expectRejected(
    cluster,
    kvaultWithdrawInstruction(setup, { user: USER, reserve: RESERVE }, MILLION),
    7049,
  );
  cluster.changeVault(VAULT, { withdrawalPenaltyLamports: toLamports(0n) });
  changePenalty(cluster, 2n * MILLION);
  expectRejected(cluster, withdrawFromAvailableInstruction(setup, USER, MILLION), 7049);
});

test.each<[string, Address, number]>([
  ['reserveVaultState', SOL_VAULT, 2006],
  ['reserve', SECOND, 2006],
  ['reserve', VAULT, 3007],
  ['ctokenVault', goldenVault('Steady USDC').tokenVault, 2006],
  ['globalConfig', VAULT, 3002],
  ['instructionSysvarAccount', OTHER, 2012],
  ['outerEventAuthority', OTHER, 2006],
  ['reserveCollateralTokenProgram', KLEND_PROGRAM, 3008],
])('a withdrawal with another %s (%s) fails with %i', (name, address, code) => {
  const { cluster, setup } = saver();
  const instruction = kvaultWithdrawInstruction(setup, { user: USER, reserve: RESERVE }, MILLION);
  expectRejected(cluster, withAccountReplaced(withdraw, instruction, [name, address]), code);
});

test('a withdrawal cannot use the reserves of another vault', () => {
  const { cluster, setup } = saver();
  const instruction = kvaultWithdrawInstruction(setup, { user: USER, reserve: RESERVE }, MILLION);
  const other = vaultInstructionAccounts(cluster, SOL_VAULT);
  const reserve = goldenReserve('Main Market', 'SOL').address;
  const swaps = Object.entries({ ...other.lending(reserve), reserveVaultState: SOL_VAULT });
  const mixed = swaps.reduce(
    (call, swap) => withAccountReplaced(withdraw, call, swap),
    instruction,
  );
  expectRejected(cluster, mixed, 2502);
});

test('a removed reserve pays nothing', () => {
  const { cluster } = saver();
  cluster.changeAllocation(VAULT, 1, { reserve: ZERO_ADDRESS });
  const setup = vaultInstructionAccounts(cluster, VAULT);
  expectRejected(
    cluster,
    kvaultWithdrawInstruction(setup, { user: USER, reserve: SECOND }, MILLION),
    7007,
  );
});

test('errors of the lending program are propagated', () => {
  const { cluster, setup } = saver(700_000n * MILLION);
  cluster.changeReserve(RESERVE, (fields) => {
    const { liquidity } = fields;
    const borrowedAmountSf = sfFromInt(
      (liquidity.borrowedAmountSf >> 60n) + liquidity.totalAvailableAmount,
    );
    return {
      ...fields,
      liquidity: { ...liquidity, borrowedAmountSf, totalAvailableAmount: toLamports(0n) },
    };
  });
  const instruction = kvaultWithdrawInstruction(
    setup,
    { user: USER, reserve: RESERVE },
    300_000n * MILLION,
  );
  expectRejected(cluster, instruction, 6008);
});

test('only the program can emit events', () => {
  const { cluster } = saver();
  const data = Uint8Array.from(Buffer.from('e445a52e51cb9a1d7b40dc0458677fcc', 'hex'));
  const telling = (address: Address, role: 0 | 2): Instruction => ({
    programAddress: KVAULT_PROGRAM,
    data,
    accounts: [{ address, role }],
  });
  expectRejected(cluster, telling(eventAuthority(), 0), 2002);
  expectRejected(cluster, telling(USER, 2), 2006);
  expectRejected(cluster, { ...telling(USER, 2), accounts: [] }, 'NotEnoughAccountKeys');
});
