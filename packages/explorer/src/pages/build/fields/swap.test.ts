import { expect, test } from 'vitest';
import { parseSwap } from './swap.ts';

const program = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const pool = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q';
const table = 'DxXdAyU3kCjnyggvHmY5nAwg5cRbbmdyX3npfDMjjMek';

const parse = (json: unknown) => parseSwap(JSON.stringify(json));

const instruction = {
  programAddress: program,
  accounts: [{ address: pool, role: 'WRITABLE_SIGNER' }],
  data: 'AQI=',
};

test('a swap in the form of the API stays as it is', () => {
  const swap = { instructions: [instruction], lookupTables: [table] };
  expect(parse(swap)).toEqual({ swap });
  expect(parse([instruction])).toEqual({ swap: { instructions: [instruction], lookupTables: [] } });
});

test('the answer of an operation for instructions is a swap', () => {
  const signed = { ...instruction.accounts[0], signer: { address: pool } };
  const bundle = {
    instructions: [{ ...instruction, accounts: [signed] }],
    lutsByAddress: { [table]: [pool] },
  };
  expect(parse(bundle)).toEqual({
    swap: { instructions: [instruction], lookupTables: [table] },
  });
});

test('the answer of an aggregator is converted in its order, without its compute budget', () => {
  const foreign = (data: string, isSigner: boolean, isWritable: boolean) => ({
    programId: program,
    accounts: [{ pubkey: pool, isSigner, isWritable }],
    data,
  });
  const answer = {
    computeBudgetInstructions: [foreign('AA==', false, false)],
    setupInstructions: [foreign('AQ==', true, false)],
    swapInstruction: foreign('Ag==', false, true),
    cleanupInstruction: foreign('Aw==', true, true),
    addressLookupTableAddresses: [table],
  };
  const converted = (data: string, role: string) => ({
    programAddress: program,
    accounts: [{ address: pool, role }],
    data,
  });
  expect(parse(answer)).toEqual({
    swap: {
      instructions: [
        converted('AQ==', 'READONLY_SIGNER'),
        converted('Ag==', 'WRITABLE'),
        converted('Aw==', 'WRITABLE_SIGNER'),
      ],
      lookupTables: [table],
    },
  });
});

test.each([
  ['', /A swap is needed/],
  ['{', /not JSON/],
  ['7', /not JSON/],
  ['{}', /no instructions/],
  ['{"instructions": []}', /no instructions/],
])('a text of “%s” is explained', (text, message) => {
  expect(parseSwap(text)).toEqual({ problem: expect.stringMatching(message) });
});

test('an instruction that is not complete is named', () => {
  const wrong = { ...instruction, accounts: [{ address: pool, role: 'OWNER' }] };
  for (const broken of [
    wrong,
    { ...instruction, programAddress: 1 },
    { programAddress: program },
  ]) {
    expect(parse({ instructions: [instruction, broken] })).toEqual({
      problem: 'Instruction 2 needs a program, accounts and data.',
    });
  }
});
