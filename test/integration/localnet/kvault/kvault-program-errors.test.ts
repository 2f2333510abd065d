import { expect, test } from 'vitest';
import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { deposit } from '#core/protocol/kvault/instructions/deposit.ts';
import { withdraw } from '#core/protocol/kvault/instructions/withdraw.ts';
import { globalConfig } from '#core/protocol/kvault/layout/global-config.ts';
import { eventAuthority, globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster } from '../../../support/vaults/vault-cluster.ts';
import {
  kvaultDepositInstruction,
  kvaultWithdrawInstruction,
  redeemInKindInstruction,
  vaultInstructionAccounts,
  withAccountReplaced,
  withdrawFromAvailableInstruction,
} from '../../../support/vaults/vault-instructions.ts';

const VAULT = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');
const SOL_VAULT = toAddress('BQe1p8KPy5gZqxPZJwU4ee97WanZUTNovY5TsqxFB56P');
const RESERVE = toAddress('EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9');
const SECOND = toAddress('6fiUy5cgqsRwHX86kHk9Xza9yPPpz5rxN7SVTG9v5jyc');
const USER = numberedAddress(1);
const OTHER = numberedAddress(2);
const MILLION = 1_000_000n;

/** A saver with tokens and shares; the cluster has no account of whoever else. */
function saver(shares = MILLION) {
  const cluster = new VaultCluster();
  const scene = vaultInstructionAccounts(cluster, VAULT);
  const { tokenMint, sharesMint } = scene.accounts;
  cluster.fund(USER, tokenMint, 1_000n * MILLION);
  cluster.fund(USER, sharesMint, shares);
  return { cluster, scene };
}

const refused = (code: number | string) => ({
  InstructionError: [0, typeof code === 'string' ? code : { Custom: code }],
});

/** It fails with that error, leaves nothing, and goes through where nothing is wrong with it. */
function expectRefused(cluster: VaultCluster, asked: Instruction, code: number | string): void {
  const before = new Map(cluster.accounts);
  const { error, logs } = cluster.run(asked);
  expect([error, logs.at(-1)]).toEqual([refused(code), expect.stringContaining('failed')]);
  expect(cluster.accounts).toEqual(before);
}

/** That of the config for all vaults, in lamports. */
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

test('what the tests below change is all that is wrong with it', () => {
  const { cluster, scene } = saver();
  const from = { user: USER, reserve: RESERVE };
  cluster.fund(USER, scene.lending(RESERVE).reserveCollateralMint, 0n);
  for (const asked of [
    kvaultDepositInstruction(scene, USER, MILLION),
    withdrawFromAvailableInstruction(scene, USER, 100_000n),
    kvaultWithdrawInstruction(scene, from, 100_000n),
    redeemInKindInstruction(scene, from, 100_000n),
  ]) {
    expect(cluster.run(asked).error).toBeUndefined();
  }
});

test.each([
  ['nothing', 0n, 7000],
  ['less than the vault takes', 999n, 7026],
  ['more than the wallet has', 1_001n * MILLION, 1],
])('a deposit of %s is refused', (_, amount, code) => {
  const { cluster, scene } = saver();
  expectRefused(cluster, kvaultDepositInstruction(scene, USER, amount), code);
});

test('a deposit that does not pay for one share is refused', () => {
  const { cluster, scene } = saver();
  cluster.changeVault(VAULT, {
    minDepositAmount: toLamports(0n),
    sharesIssued: 720_000n,
  });
  expectRefused(cluster, kvaultDepositInstruction(scene, USER, 1_000n), 7038);
});

test('a deposit that does not pay for the crank stops the program', () => {
  const { cluster, scene } = saver();
  cluster.changeVault(VAULT, { crankFundFeePerReserve: toLamports(10_000n) });
  expectRefused(cluster, kvaultDepositInstruction(scene, USER, 19_999n), 'ProgramFailedToComplete');
  expect(cluster.run(kvaultDepositInstruction(scene, USER, 30_000n)).error).toBeUndefined();
  expect(cluster.vault(VAULT).availableCrankFunds).toBe(20_000n);
});

test('a vault whose shares are worth nothing takes no deposit and pays nothing', () => {
  const { cluster, scene } = saver();
  for (const place of [0, 1]) cluster.changeAllocation(VAULT, place, { ctokenAllocation: 0n });
  cluster.changeVault(VAULT, { tokenAvailable: toLamports(0n) });
  expectRefused(cluster, kvaultDepositInstruction(scene, USER, MILLION), 7042);
  expectRefused(cluster, withdrawFromAvailableInstruction(scene, USER, MILLION), 7042);
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(1n) });
  expectRefused(cluster, kvaultDepositInstruction(scene, USER, MILLION), 7037);
});

test.each<[string, Address, number]>([
  ['tokenVault', toAddress('6saCxAvSMq91VKn9Trv9JaFNF4PdPpSaEaBK4oUALTzW'), 2001],
  ['tokenVault', OTHER, 3012],
  ['tokenVault', RESERVE, 3007],
  ['tokenMint', toAddress('So11111111111111111111111111111111111111112'), 2001],
  ['sharesMint', toAddress('2Mym5fSPhmJrri6f4Y61GhUfiDfEHxPGVS5bSdsEWwTt'), 2001],
  ['baseVaultAuthority', OTHER, 2001],
  ['vaultState', RESERVE, 3007],
  ['vaultState', OTHER, 3007],
  ['klendProgram', TOKEN_PROGRAM, 3008],
  ['tokenProgram', KLEND_PROGRAM, 3008],
  ['sharesTokenProgram', KLEND_PROGRAM, 3008],
  ['userTokenAta', toAddress('5dXzBQwd6ayitFpVEwovZFkNghdzkUzxy5QjWd9aYDvU'), 2015],
  ['userSharesAta', OTHER, 3012],
  ['eventAuthority', OTHER, 2006],
])('a deposit with another %s (%s) is refused with %i', (name, address, code) => {
  const { cluster, scene } = saver();
  const asked = kvaultDepositInstruction(scene, USER, MILLION);
  expectRefused(cluster, withAccountReplaced(deposit, asked, [name, address]), code);
});

test('shares do not stand for tokens', () => {
  const { cluster, scene } = saver();
  const asked = kvaultDepositInstruction(scene, USER, MILLION);
  const { userSharesAta } = scene.ofUser(USER);
  expectRefused(
    cluster,
    withAccountReplaced(deposit, asked, ['userTokenAta', userSharesAta]),
    2014,
  );
});

test('the reserves must be there, in the order of the vault', () => {
  const { cluster, scene } = saver();
  const asked = (remaining: typeof scene.remaining) =>
    kvaultDepositInstruction({ ...scene, remaining }, USER, MILLION);
  const [first, second, ...markets] = scene.remaining;
  if (first === undefined || second === undefined) throw new Error('no reserves');
  expectRefused(cluster, asked([]), 7043);
  expectRefused(cluster, asked([first]), 7043);
  expectRefused(cluster, asked([second, first, ...markets]), 7010);
  expectRefused(cluster, asked([...markets, first, second]), 3002);
  expectRefused(cluster, asked([first, second]), 'MissingAccount');
  const readOnly = [{ ...first, role: 0 as const }, second, ...markets];
  expectRefused(cluster, asked(readOnly), 'PrivilegeEscalation');
});

test('no shares, or none that pay, are refused', () => {
  const none = saver(0n);
  expectRefused(none.cluster, withdrawFromAvailableInstruction(none.scene, USER, U64_MAX), 7040);
  const few = saver();
  expectRefused(few.cluster, withdrawFromAvailableInstruction(few.scene, USER, 0n), 7040);
  few.cluster.changeVault(VAULT, { sharesIssued: 1n << 60n });
  expectRefused(few.cluster, withdrawFromAvailableInstruction(few.scene, USER, 1n), 7050);
});

test('a payout must be more than the vault’s minimum', () => {
  const { cluster, scene } = saver();
  expectRefused(cluster, withdrawFromAvailableInstruction(scene, USER, 100n), 7004);
  cluster.changeVault(VAULT, { tokenAvailable: toLamports(0n) });
  expectRefused(cluster, withdrawFromAvailableInstruction(scene, USER, MILLION), 7004);
  changePenalty(cluster, 0n);
  expectRefused(cluster, withdrawFromAvailableInstruction(scene, USER, MILLION), 7039);
});

test('a penalty that takes all is refused, of the vault or of the config', () => {
  const { cluster, scene } = saver();
  cluster.changeVault(VAULT, { withdrawalPenaltyLamports: toLamports(2n * MILLION) });
  expectRefused(cluster, withdrawFromAvailableInstruction(scene, USER, MILLION), 7049);
  expectRefused(
    cluster,
    kvaultWithdrawInstruction(scene, { user: USER, reserve: RESERVE }, MILLION),
    7049,
  );
  cluster.changeVault(VAULT, { withdrawalPenaltyLamports: toLamports(0n) });
  changePenalty(cluster, 2n * MILLION);
  expectRefused(cluster, withdrawFromAvailableInstruction(scene, USER, MILLION), 7049);
});

test.each<[string, Address, number]>([
  ['reserveVaultState', SOL_VAULT, 2006],
  ['reserve', SECOND, 2006],
  ['reserve', VAULT, 3007],
  ['ctokenVault', toAddress('5dXzBQwd6ayitFpVEwovZFkNghdzkUzxy5QjWd9aYDvU'), 2006],
  ['globalConfig', VAULT, 3002],
  ['instructionSysvarAccount', OTHER, 2012],
  ['outerEventAuthority', OTHER, 2006],
  ['reserveCollateralTokenProgram', KLEND_PROGRAM, 3008],
])('a withdrawal with another %s (%s) is refused with %i', (name, address, code) => {
  const { cluster, scene } = saver();
  const asked = kvaultWithdrawInstruction(scene, { user: USER, reserve: RESERVE }, MILLION);
  expectRefused(cluster, withAccountReplaced(withdraw, asked, [name, address]), code);
});

test('a withdrawal of one vault cannot draw on the reserves of another', () => {
  const { cluster, scene } = saver();
  const asked = kvaultWithdrawInstruction(scene, { user: USER, reserve: RESERVE }, MILLION);
  const other = vaultInstructionAccounts(cluster, SOL_VAULT);
  const reserve = toAddress('4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm');
  const swaps = Object.entries({ ...other.lending(reserve), reserveVaultState: SOL_VAULT });
  const mixed = swaps.reduce((call, swap) => withAccountReplaced(withdraw, call, swap), asked);
  expectRefused(cluster, mixed, 2502);
});

test('a reserve that the vault gave up pays nothing', () => {
  const { cluster } = saver();
  cluster.changeAllocation(VAULT, 1, { reserve: ZERO_ADDRESS });
  const scene = vaultInstructionAccounts(cluster, VAULT);
  expectRefused(
    cluster,
    kvaultWithdrawInstruction(scene, { user: USER, reserve: SECOND }, MILLION),
    7007,
  );
});

test('the lending program’s refusals come through', () => {
  const { cluster, scene } = saver(700_000n * MILLION);
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
  const asked = kvaultWithdrawInstruction(
    scene,
    { user: USER, reserve: RESERVE },
    300_000n * MILLION,
  );
  expectRefused(cluster, asked, 6008);
});

test('nobody else can tell an event', () => {
  const { cluster } = saver();
  const data = Uint8Array.from(Buffer.from('e445a52e51cb9a1d7b40dc0458677fcc', 'hex'));
  const telling = (address: Address, role: 0 | 2): Instruction => ({
    ...{ programAddress: KVAULT_PROGRAM, data },
    accounts: [{ address, role }],
  });
  expectRefused(cluster, telling(eventAuthority(), 0), 2002);
  expectRefused(cluster, telling(USER, 2), 2006);
  expectRefused(cluster, { ...telling(USER, 2), accounts: [] }, 'NotEnoughAccountKeys');
});
