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

const VAULT = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');
const RESERVE = toAddress('EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9');
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const USER = numberedAddress(1);
const MILLION = 1_000_000n;
const FROM = { user: USER, reserve: RESERVE };

function saver() {
  const cluster = new VaultCluster();
  cluster.changeVault(VAULT, { performanceFeeBps: 0n, managementFeeBps: 0n });
  const scene = vaultInstructionAccounts(cluster, VAULT);
  const { tokenMint, sharesMint } = scene.accounts;
  cluster.fund(USER, tokenMint, 1_000n * MILLION);
  cluster.fund(USER, sharesMint, 200_000n * MILLION);
  cluster.fund(USER, scene.lending(RESERVE).reserveCollateralMint, 0n);
  cluster.fund(ADMIN, tokenMint, 0n);
  return { cluster, scene };
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

const names = (ran: ExecutionResult) => called(ran).map(nameOf);

/** The numbers of an event, read by hand. */
function numbersOf(ran: ExecutionResult, event: string): bigint[] {
  const data = Buffer.from(called(ran).find((call) => nameOf(call) === event)?.data ?? []);
  return Array.from({ length: (data.length - 16) / 8 }, (_, i) => data.readBigUInt64LE(16 + 8 * i));
}

test('a deposit refreshes, tells the balance and the terms, takes the tokens and mints', () => {
  const { cluster, scene } = saver();
  const shares = cluster.vault(VAULT).sharesIssued;
  const ran = cluster.run(kvaultDepositInstruction(scene, USER, MILLION));
  const told = ['DepositUserAtaBalance', 'DepositResult'];
  expect(names(ran)).toEqual(['refresh', ...told, 'transfer', 'mint']);
  expect(numbersOf(ran, 'DepositUserAtaBalance')).toEqual([1_000n * MILLION]);
  const paid = 1_000n * MILLION - cluster.balance(scene.ofUser(USER).userTokenAta);
  const minted = cluster.vault(VAULT).sharesIssued - shares;
  expect(numbersOf(ran, 'DepositResult')).toEqual([minted, paid, 0n]);
});

test('a deposit of nothing calls nobody', () => {
  const { cluster, scene } = saver();
  expect(called(cluster.run(kvaultDepositInstruction(scene, USER, 0n)))).toEqual([]);
});

test('a withdrawal burns, redeems, sends, and tells it last', () => {
  const { cluster, scene } = saver();
  const ran = cluster.run(kvaultWithdrawInstruction(scene, FROM, U64_MAX));
  const told = ['SharesToWithdraw', 'WithdrawResult'];
  expect(names(ran)).toEqual(['refresh', 'burn', 'redeem', 'transfer', ...told]);
  const all = 200_000n * MILLION;
  expect(numbersOf(ran, 'SharesToWithdraw')).toEqual([all, all]);
  const { userTokenAta, userSharesAta } = scene.ofUser(USER);
  const [burned, available, ctokens, invested] = numbersOf(ran, 'WithdrawResult');
  expect(burned).toBe(all - cluster.balance(userSharesAta));
  expect(available).toBe(72_000n * MILLION);
  expect((available ?? 0n) + (invested ?? 0n)).toBe(
    cluster.balance(userTokenAta) - 1_000n * MILLION,
  );
  const { vaultAllocationStrategy: places } = cluster.vault(VAULT);
  expect(ctokens).toBe(395_999_985_830n - (places[0]?.ctokenAllocation ?? 0n));
  expect(ran.logs).toContain(
    `Program log: Sending back to user ${(available ?? 0n) + (invested ?? 0n)}`,
  );
});

test('what the available tokens cover does not touch the reserve', () => {
  const { cluster, scene } = saver();
  const told = ['SharesToWithdraw', 'WithdrawResult'];
  const expected = ['refresh', 'burn', 'transfer', ...told];
  const ran = cluster.run(kvaultWithdrawInstruction(scene, FROM, MILLION));
  expect(names(ran)).toEqual(expected);
  expect(numbersOf(ran, 'SharesToWithdraw')).toEqual([MILLION, 200_000n * MILLION]);
  expect(names(cluster.run(withdrawFromAvailableInstruction(scene, USER, MILLION)))).toEqual(
    expected,
  );
});

test('in kind the events come first', () => {
  const { cluster, scene } = saver();
  const ran = cluster.run(redeemInKindInstruction(scene, FROM, MILLION));
  const told = ['SharesToWithdraw', 'RedeemInKindResult'];
  expect(names(ran)).toEqual(['refresh', ...told, 'burn', 'transfer']);
  const { reserveCollateralMint } = scene.lending(RESERVE);
  const [, ctokens] = numbersOf(ran, 'RedeemInKindResult');
  expect(cluster.balance(associatedTokenAddress(USER, reserveCollateralMint, TOKEN_PROGRAM))).toBe(
    ctokens,
  );
});

test('fees are sent where there are any', () => {
  const { cluster, scene } = saver();
  expect(names(cluster.run(withdrawPendingFeesInstruction(scene, ADMIN, RESERVE)))).toEqual([
    'refresh',
  ]);
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(MILLION) });
  expect(names(cluster.run(withdrawPendingFeesInstruction(scene, ADMIN, RESERVE)))).toEqual([
    'refresh',
    'transfer',
  ]);
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(100_000n * MILLION) });
  expect(names(cluster.run(withdrawPendingFeesInstruction(scene, ADMIN, RESERVE)))).toEqual([
    ...['refresh', 'redeem', 'transfer'],
  ]);
});
