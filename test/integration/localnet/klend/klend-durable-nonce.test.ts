import { expect, test } from 'vitest';
import { bytesFromHex } from '#core/base/encoding/bytes.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { lendingMarket as lendingMarketLayout } from '#core/protocol/klend/layout/lending-market.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { currentPrograms, programsOf } from '../../../support/flows/current-programs.ts';
import {
  accountInSlot,
  runError,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  configFlowVariant,
  MODES,
  updateConfigInstruction,
} from '../../../support/lending/reserve-config-instructions.ts';

const recorded = configFlowVariant('13');
const deposit = 'depositReserveLiquidityAndObligationCollateralV2';
const reserve = accountInSlot(recorded, deposit, 'reserve');
const market = accountInSlot(recorded, deposit, 'lendingMarket');
const change = updateConfigInstruction(recorded, { reserve, mode: MODES.status, value: [0] });

/** After the tested instruction, so that it need not succeed. */
const system = (data: string, programAddress = SYSTEM_PROGRAM): Instruction => ({
  programAddress,
  accounts: [],
  data: bytesFromHex(data),
});

const errorWith = (other: Instruction, programs = currentPrograms, variant = recorded) =>
  runError({ ...variant, instructions: [change, other] }, programs);

test('an instruction of an administrator is refused beside a durable nonce: 6185', () => {
  expect(errorWith(system('04000000'))).toBe(6185);
  expect(errorWith(system('0400000000'))).toBe(6185);
});

test('only an advanced nonce of the system program counts', () => {
  const others = [system('05000000'), system('040000'), system('04000001')];
  for (const other of others) expect(errorWith(other)).not.toBe(6185);
  expect(errorWith(system('04000000', TOKEN_PROGRAM))).not.toBe(6185);
});

test('a market can allow it, and releases before 1.24 do', () => {
  const allowed = withFields(recorded, [lendingMarketLayout, market], (fields) => ({
    ...fields,
    disableNonceBlock: 1,
  }));
  expect(errorWith(system('04000000'), currentPrograms, allowed)).not.toBe(6185);
  expect(errorWith(system('04000000'), programsOf('1.23'))).not.toBe(6185);
});

test('instructions of users are not affected', () => {
  const instructions = [...recorded.instructions, system('04000000')];
  expect(runError({ ...recorded, instructions }, currentPrograms)).not.toBe(6185);
});
