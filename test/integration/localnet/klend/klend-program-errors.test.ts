import { describe, expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { compileTransaction } from '#core/builders/compile-transaction.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { RULES_BEFORE_1_11 } from '#core/protocol/klend/lending-rules.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { LEGACY_FARMS_RULES } from '#localnet/programs/farms/farms-rules.ts';
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
import { programsFolder } from '../../../support/localnet/real-programs.ts';

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';
const ANY_BLOCKHASH = '11111111111111111111111111111112';
/** Of the same token as the one of flow 01, in the other market. */
const USDC_ELSEWHERE = toAddress('6fiUy5cgqsRwHX86kHk9Xza9yPPpz5rxN7SVTG9v5jyc');

const deposit = lendingFlowVariant('01');
const reserve = accountInSlot(deposit, DEPOSIT, 'reserve');
const withdraw = lendingFlowVariant('04');
const vaultDeposit = lendingFlowVariant('47');
const vault = accountInSlot(vaultDeposit, 'deposit', 'vaultState');

type Case = readonly [what: string, code: number, scene: LendingFlowVariant];

const cases: readonly Case[] = [
  ['a borrow over the limit', 6013, lendingFlowVariant('90')],
  ['a borrow where nothing may be lent', 6089, lendingFlowVariant('93')],
  ['a withdrawal that breaks health', 6011, lendingFlowVariant('91')],
  ['a reserve that was not refreshed', 6009, withoutVariantInstruction(withdraw, 'refreshReserve')],
  ['a loan that was not refreshed', 6017, withoutVariantInstruction(withdraw, 'refreshObligation')],
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
  ['a loan that is not there', 3007, withoutVariantInstruction(deposit, 'initObligation')],
  [
    'a stake that is not there',
    3007,
    withoutVariantInstruction(deposit, 'initObligationFarmsForReserve'),
  ],
  ['an account for tokens that is not there', 3012, withoutTokens(deposit)],
  ['a claim for a stake that is not there', 3007, withoutStake(lendingFlowVariant('52'))],
  ['too few tokens', 1, lendingFlowVariant('92')],
  [
    'tokens of somebody else',
    2015,
    withAccountSlot(
      deposit,
      [DEPOSIT, 'userSourceLiquidity'],
      accountInSlot(deposit, DEPOSIT, 'reserveLiquiditySupply'),
    ),
  ],
  [
    'a deposit below the minimum of a vault',
    7026,
    withFields(vaultDeposit, [vaultState, vault], (fields) => ({
      ...fields,
      minDepositAmount: toLamports(10n ** 15n),
    })),
  ],
  ['too few tokens for a vault', 1, lendingFlowVariant('94')],
];

describe('our model refuses as the programs do', () => {
  const model = createModelExecutor(
    modelPrograms({ lending: RULES_BEFORE_1_11, farms: LEGACY_FARMS_RULES }),
  );
  test.each(cases)('%s', (_what, code, scene) => {
    expect(codeOf(scene, model)).toBe(code);
  });
});

describe.skipIf(programsFolder === '')('so do the real programs', async () => {
  const real = programsFolder === '' ? undefined : await createSvmExecutor(programsFolder);
  test.for(cases)('%s', ([, code, scene], { skip }) => {
    const isVault = scene.instructions.some((each) => each.programAddress === KVAULT_PROGRAM);
    skip(
      real === undefined || (isVault && !real.hasProgram(KVAULT_PROGRAM)),
      'there is no binary of the vault program',
    );
    if (real !== undefined) expect(codeOf(scene, real)).toBe(code);
  });
});

/** Without the account that the deposit is paid from, and without what would create it. */
function withoutTokens(scene: LendingFlowVariant): LendingFlowVariant {
  const accounts = new Map(scene.accounts);
  accounts.delete(accountInSlot(scene, DEPOSIT, 'userSourceLiquidity'));
  return withoutVariantInstruction({ ...scene, accounts }, 'createIdempotent');
}

function withoutStake(scene: LendingFlowVariant): LendingFlowVariant {
  const accounts = new Map(scene.accounts);
  accounts.delete(accountInSlot(scene, 'harvestReward', 'userState'));
  return { ...scene, accounts };
}

function payerOf({ transactions: [transaction] }: LendingFlowVariant['flow']): Address {
  const { message } = decodeWireTransaction(Buffer.from(transaction?.wire ?? '', 'base64'));
  const [payer] = message.staticKeys;
  if (payer === undefined) throw new Error('nobody pays');
  return payer;
}

/** The number that the cluster ends it with; what was not run at all is told by its name. */
function codeOf(
  scene: LendingFlowVariant,
  executor: Executor,
): number | TransactionError | undefined {
  const { accounts, at, instructions, flow } = scene;
  const processor = new TransactionProcessor({
    ...{ executor, isRecent: () => true, isProcessed: () => false },
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
