import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { bytesToHex } from '#core/base/encoding/bytes.ts';
import { U64_MAX } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { ExecutionResult } from '#localnet/runtime/execute-instructions.ts';
import { goldenReserve, goldenVault } from '../../../support/golden/golden-addresses.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster } from '../../../support/vaults/vault-cluster.ts';
import {
  kvaultDepositInstruction,
  kvaultWithdrawInstruction,
  redeemInKindInstruction,
  vaultInstructionAccounts,
  withdrawFromAvailableInstruction,
  withdrawPendingFeesInstruction,
} from '../../../support/vaults/vault-instructions.ts';

const VAULT = goldenVault('Steady USDC').address;
const RESERVE = goldenReserve('Main Market', 'USDC').address;
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const USER = numberedAddress(1);
const MILLION = 1_000_000n;
const FROM = { user: USER, reserve: RESERVE };

function saver() {
  const cluster = new VaultCluster();
  cluster.changeVault(VAULT, { performanceFeeBps: 0n, managementFeeBps: 0n });
  const setup = vaultInstructionAccounts(cluster, VAULT);
  const { tokenMint, sharesMint } = setup.accounts;
  cluster.fund(USER, tokenMint, 1_000n * MILLION);
  cluster.fund(USER, sharesMint, 200_000n * MILLION);
  cluster.fund(USER, setup.lending(RESERVE).reserveCollateralMint, 0n);
  cluster.fund(ADMIN, tokenMint, 0n);
  return { cluster, setup };
}

const NAMES: readonly (readonly [program: Address, start: string, name: string])[] = [
  [KLEND_PROGRAM, '906e1a67a2ccfc93', 'refresh'],
  [KLEND_PROGRAM, 'ea75b57db98edc1d', 'redeem'],
  [TOKEN_PROGRAM, '0c', 'transfer'],
  [TOKEN_PROGRAM, '07', 'mint'],
  [TOKEN_PROGRAM, '08', 'burn'],
  [KVAULT_PROGRAM, 'e445a52e51cb9a1dcac7acd424ae7a0e', 'DepositUserAtaBalance'],
  [KVAULT_PROGRAM, 'e445a52e51cb9a1d7b40dc0458677fcc', 'DepositResult'],
  [KVAULT_PROGRAM, 'e445a52e51cb9a1d7cdca0f5a6443fc6', 'SharesToWithdraw'],
  [KVAULT_PROGRAM, 'e445a52e51cb9a1d14bf0fe7c4316526', 'WithdrawResult'],
  [KVAULT_PROGRAM, 'e445a52e51cb9a1d1bbf5aa36a7e9a6c', 'RedeemInKindResult'],
];

function nameOf({ programAddress, data }: Instruction): string | undefined {
  const hex = bytesToHex(data);
  return NAMES.find(([program, start]) => program === programAddress && hex.startsWith(start))?.[2];
}

const called = ({ inner }: ExecutionResult): Instruction[] =>
  (inner.get(0) ?? []).flatMap((call) => (call.stackHeight === 2 ? [call.instruction] : []));

const names = (result: ExecutionResult) => called(result).map(nameOf);

/** The integers of an event, decoded by hand. */
function numbersOf(result: ExecutionResult, event: string): bigint[] {
  const data = Buffer.from(called(result).find((call) => nameOf(call) === event)?.data ?? []);
  return Array.from({ length: (data.length - 16) / 8 }, (_, i) => data.readBigUInt64LE(16 + 8 * i));
}

test('a deposit refreshes, emits events, transfers the tokens and mints shares', () => {
  const { cluster, setup } = saver();
  const shares = cluster.vault(VAULT).sharesIssued;
  const result = cluster.run(kvaultDepositInstruction(setup, USER, MILLION));
  const emitted = ['DepositUserAtaBalance', 'DepositResult'];
  expect(names(result)).toEqual(['refresh', ...emitted, 'transfer', 'mint']);
  expect(numbersOf(result, 'DepositUserAtaBalance')).toEqual([1_000n * MILLION]);
  const paid = 1_000n * MILLION - cluster.balance(setup.ofUser(USER).userTokenAta);
  const minted = cluster.vault(VAULT).sharesIssued - shares;
  expect(numbersOf(result, 'DepositResult')).toEqual([minted, paid, 0n]);
});

test('a zero deposit calls nothing', () => {
  const { cluster, setup } = saver();
  expect(called(cluster.run(kvaultDepositInstruction(setup, USER, 0n)))).toEqual([]);
});

test('a withdrawal burns, redeems, transfers and emits events last', () => {
  const { cluster, setup } = saver();
  const result = cluster.run(kvaultWithdrawInstruction(setup, FROM, U64_MAX));
  const emitted = ['SharesToWithdraw', 'WithdrawResult'];
  expect(names(result)).toEqual(['refresh', 'burn', 'redeem', 'transfer', ...emitted]);
  const all = 200_000n * MILLION;
  expect(numbersOf(result, 'SharesToWithdraw')).toEqual([all, all]);
  const { userTokenAta, userSharesAta } = setup.ofUser(USER);
  const [burned, available, ctokens, invested] = numbersOf(result, 'WithdrawResult');
  expect(burned).toBe(all - cluster.balance(userSharesAta));
  expect(available).toBe(72_000n * MILLION);
  expect((available ?? 0n) + (invested ?? 0n)).toBe(
    cluster.balance(userTokenAta) - 1_000n * MILLION,
  );
  const { vaultAllocationStrategy: accounts } = cluster.vault(VAULT);
  expect(ctokens).toBe(395_999_985_830n - (accounts[0]?.ctokenAllocation ?? 0n));
  expect(result.logs).toContain(
    `Program log: Sending back to user ${(available ?? 0n) + (invested ?? 0n)}`,
  );
});

test('a withdrawal covered by available tokens does not use the reserve', () => {
  const { cluster, setup } = saver();
  const emitted = ['SharesToWithdraw', 'WithdrawResult'];
  const expected = ['refresh', 'burn', 'transfer', ...emitted];
  const result = cluster.run(kvaultWithdrawInstruction(setup, FROM, MILLION));
  expect(names(result)).toEqual(expected);
  expect(numbersOf(result, 'SharesToWithdraw')).toEqual([MILLION, 200_000n * MILLION]);
  expect(names(cluster.run(withdrawFromAvailableInstruction(setup, USER, MILLION)))).toEqual(
    expected,
  );
});

test('redeemInKind emits events first', () => {
  const { cluster, setup } = saver();
  const result = cluster.run(redeemInKindInstruction(setup, FROM, MILLION));
  const emitted = ['SharesToWithdraw', 'RedeemInKindResult'];
  expect(names(result)).toEqual(['refresh', ...emitted, 'burn', 'transfer']);
  const { reserveCollateralMint } = setup.lending(RESERVE);
  const [, ctokens] = numbersOf(result, 'RedeemInKindResult');
  expect(cluster.balance(associatedTokenAddress(USER, reserveCollateralMint, TOKEN_PROGRAM))).toBe(
    ctokens,
  );
});

test('pending fees are transferred if there are any', () => {
  const { cluster, setup } = saver();
  expect(names(cluster.run(withdrawPendingFeesInstruction(setup, ADMIN, RESERVE)))).toEqual([
    'refresh',
  ]);
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(MILLION) });
  expect(names(cluster.run(withdrawPendingFeesInstruction(setup, ADMIN, RESERVE)))).toEqual([
    'refresh',
    'transfer',
  ]);
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(100_000n * MILLION) });
  expect(names(cluster.run(withdrawPendingFeesInstruction(setup, ADMIN, RESERVE)))).toEqual([
    ...['refresh', 'redeem', 'transfer'],
  ]);
});
