import { expect, test } from 'vitest';
import { bytesToHex } from '../../../base/encoding/bytes.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { eventAuthority } from '../pda.ts';
import { KVAULT_PROGRAM } from '../program.ts';
import { depositResult, emittedEventName, sharesToWithdraw } from './emitted-events.ts';

const emittedCall = (data: Uint8Array, accounts = [eventAuthority()]) => ({
  program: KVAULT_PROGRAM,
  accounts,
  data,
  path: [0],
  children: [],
});

const result = {
  sharesToMint: 1n,
  tokenToDeposit: toLamports(258n),
  crankFundsToDeposit: toLamports(3n),
};

test('an event consists of the CPI tag, its discriminator and its fields', () => {
  expect(bytesToHex(depositResult.encode(result))).toBe(
    'e445a52e51cb9a1d7b40dc0458677fcc010000000000000002010000000000000300000000000000',
  );
});

test('an emitted event decodes only as its own type', () => {
  const call = emittedCall(depositResult.encode(result));
  expect(depositResult.decode(call)).toEqual(result);
  expect(sharesToWithdraw.decode(call)).toBeUndefined();
  expect(emittedEventName(call)).toBe('DepositResultEvent');
  expect(depositResult.decode({ ...call, accounts: [KVAULT_PROGRAM] })).toBeUndefined();
});
