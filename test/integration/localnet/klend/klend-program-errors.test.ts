import { describe, expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { compileTransaction } from '#core/builders/compile-transaction.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import type { TransactionError } from '#localnet/runtime/transaction-errors.ts';
import type { Executor } from '#localnet/runtime/transactions/executor.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { receiveTransaction } from '#localnet/runtime/transactions/received-transaction.ts';
import { createSvmExecutor } from '#localnet/runtime/transactions/svm-executor.ts';
import { TransactionProcessor } from '#localnet/runtime/transactions/transaction-processor.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  lendingFlowVariant,
  withAccountSlot,
  withFields,
  withoutVariantInstruction,
} from '../../../support/flows/lending-flow-variants.ts';
import { goldenReserve } from '../../../support/golden/golden-addresses.ts';
import { RECORDED_BUILD_RULES } from '../../../support/golden/recorded-build.ts';
import { programsFolder } from '../../../support/localnet/real-programs.ts';

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';
const ANY_BLOCKHASH = '11111111111111111111111111111112';
/** Same token as in flow 01, in the other market. */
const USDC_ELSEWHERE = goldenReserve('JLP Market', 'USDC').address;

const deposit = lendingFlowVariant('01');
const reserve = accountInSlot(deposit, DEPOSIT, 'reserve');
const withdraw = lendingFlowVariant('04');
const vaultDeposit = lendingFlowVariant('47');
const vault = accountInSlot(vaultDeposit, 'deposit', 'vaultState');

type Case = readonly [what: string, code: number, variant: LendingFlowVariant];

const cases: readonly Case[] = [
  ['a borrow over the limit', 6013, lendingFlowVariant('90')],
  ['a borrow of a reserve without borrowing', 6089, lendingFlowVariant('93')],
  ['a withdrawal that makes the loan unhealthy', 6011, lendingFlowVariant('91')],
  ['a stale reserve', 6009, withoutVariantInstruction(withdraw, 'refreshReserve')],
  ['a stale loan', 6017, withoutVariantInstruction(withdraw, 'refreshObligation')],
  [
    'a deposit over the cap',
    6090,
    withFields(deposit, [reserveLayout, reserve], (fields) => ({
      ...fields,
      config: { ...fields.config, depositLimit: toLamports(1n) },
    })),
  ],
  [
    'a reserve of another market',
    2001,
    withAccountSlot(deposit, [DEPOSIT, 'reserve'], USDC_ELSEWHERE),
  ],
  ['a missing loan', 3007, withoutVariantInstruction(deposit, 'initObligation')],
  ['a missing stake', 3007, withoutVariantInstruction(deposit, 'initObligationFarmsForReserve')],
  ['a missing token account', 3012, withoutTokens(deposit)],
  ['a claim for a missing stake', 3007, withoutStake(lendingFlowVariant('52'))],
  ['too few tokens', 1, lendingFlowVariant('92')],
  [
    'tokens of another wallet',
    2015,
    withAccountSlot(
      deposit,
      [DEPOSIT, 'userSourceLiquidity'],
      accountInSlot(deposit, DEPOSIT, 'reserveLiquiditySupply'),
    ),
  ],
  [
    'a vault deposit below the minimum',
    7026,
    withFields(vaultDeposit, [vaultState, vault], (fields) => ({
      ...fields,
      minDepositAmount: toLamports(10n ** 15n),
    })),
  ],
  ['too few tokens for a vault', 1, lendingFlowVariant('94')],
];

describe('the model rejects the same requests as the programs', () => {
  const model = createModelExecutor(modelPrograms(RECORDED_BUILD_RULES));
  test.each(cases)('%s', (_what, code, variant) => {
    expect(codeOf(variant, model)).toBe(code);
  });
});

describe.skipIf(programsFolder === '')('so do the real programs', async () => {
  const real = programsFolder === '' ? undefined : await createSvmExecutor(programsFolder);
  test.for(cases)('%s', ([, code, variant], { skip }) => {
    const isVault = variant.instructions.some((each) => each.programAddress === KVAULT_PROGRAM);
    skip(
      real === undefined || (isVault && !real.hasProgram(KVAULT_PROGRAM)),
      'no binary of the vault program',
    );
    if (real !== undefined) expect(codeOf(variant, real)).toBe(code);
  });
});

/** Removes the token account that pays for the deposit, and the instruction that creates it. */
function withoutTokens(variant: LendingFlowVariant): LendingFlowVariant {
  const accounts = new Map(variant.accounts);
  accounts.delete(accountInSlot(variant, DEPOSIT, 'userSourceLiquidity'));
  return withoutVariantInstruction({ ...variant, accounts }, 'createIdempotent');
}

function withoutStake(variant: LendingFlowVariant): LendingFlowVariant {
  const accounts = new Map(variant.accounts);
  accounts.delete(accountInSlot(variant, 'harvestReward', 'userState'));
  return { ...variant, accounts };
}

function payerOf({ transactions: [transaction] }: LendingFlowVariant['flow']): Address {
  const { message } = decodeWireTransaction(Buffer.from(transaction?.wire ?? '', 'base64'));
  const [payer] = message.staticKeys;
  if (payer === undefined) throw new Error('nobody pays');
  return payer;
}

/** The custom error code; the error itself if the transaction was not executed. */
function codeOf(
  variant: LendingFlowVariant,
  executor: Executor,
): number | TransactionError | undefined {
  const { accounts, at, instructions, flow } = variant;
  const processor = new TransactionProcessor({
    executor,
    isRecent: () => true,
    isProcessed: () => false,
  });
  const unsigned = { wallet: payerOf(flow), instructions, lookupTables: [] };
  const { wire } = compileTransaction(unsigned, ANY_BLOCKHASH);
  const bank = { account: (address: Address) => accounts.get(address) };
  const processed = processor.process(
    receiveTransaction(wire),
    { accounts: bank, time: at },
    { signatures: false, blockhash: false },
  );
  if (processed.kind === 'rejected') return processed.error;
  const { error } = processed.record;
  if (error === undefined || typeof error === 'string') return error;
  if (!('InstructionError' in error)) return error;
  const [, reason] = error.InstructionError;
  return typeof reason === 'string' ? error : reason.Custom;
}
