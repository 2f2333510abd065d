import { expect, test } from 'vitest';
import { decodeBase64, encodeBase64 } from '#core/base/encoding/base64.ts';
import { SIGN } from '#core/base/solana/instruction.ts';
import { setComputeUnitLimit } from '#core/protocol/spl/instructions/compute-budget.ts';
import { COMPUTE_BUDGET_PROGRAM } from '#core/protocol/spl/programs.ts';
import { golden } from '../../../support/golden/golden-accounts.ts';
import {
  alice,
  bob,
  memoInstruction,
  startTransactingLocalnet,
  transferInstruction,
} from '../../../support/localnet/transacting-localnet.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { referenceEncode } from '../../../support/reference/reference-base58.ts';

const SYSTEM = '11111111111111111111111111111111';
const processed = { encoding: 'base64', preflightCommitment: 'processed' };
const first = Number(golden.at.slot) + 1;

test('a transaction lands in the next slot in any encoding', async () => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({});
  const text = referenceEncode(Uint8Array.from(decodeBase64(wire)));
  const sent = await net.result('sendTransaction', [text, { preflightCommitment: 'processed' }]);
  const balance = async () => {
    const params = [bob.address, { commitment: 'processed' }];
    return ((await net.result('getBalance', params)) as { value: number }).value;
  };
  expect(await balance()).toBe(0);
  net.advanceSlots(1);
  expect(await balance()).toBe(1_000_000);
  expect(sent).toBe(referenceEncode(decodeBase64(wire).subarray(1, 65)));
  const second = await net.signTransaction({
    instructions: [transferInstruction(bob.address, 5n)],
  });
  const options = { ...processed, maxRetries: 3, minContextSlot: first };
  await net.result('sendTransaction', [second, options]);
  net.advanceSlots(1);
  expect(await balance()).toBe(1_000_005);
});

test('a failing transaction is rejected with its simulation and does not land', async () => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({
    instructions: [memoInstruction('a'), transferInstruction(bob.address, 20_000_000_000n)],
  });
  const { error } = await net.rpc('sendTransaction', [wire, processed]);
  expect(error).toEqual({
    code: -32002,
    message:
      'Transaction simulation failed: Error processing Instruction 1: custom program error: 0x1',
    data: {
      err: { InstructionError: [1, { Custom: 1 }] },
      logs: expect.arrayContaining([
        'Transfer: insufficient lamports 9999995000, need 20000000000',
        `Program ${SYSTEM} failed: custom program error: 0x1`,
      ]),
      accounts: null,
      unitsConsumed: expect.any(Number),
      loadedAccountsDataSize: 64,
      returnData: null,
      innerInstructions: null,
      replacementBlockhash: null,
      fee: 5000,
      preBalances: null,
      postBalances: null,
      preTokenBalances: null,
      postTokenBalances: null,
      loadedAddresses: null,
    },
  });
  net.advanceSlots(2);
  expect(net.localnet.transactions.ledger.size).toBe(0);
});

test.each([
  ['BlockhashNotFound', 'Blockhash not found', { blockhash: numberedAddress(7) }],
  [
    'AccountNotFound',
    'Attempt to debit an account but found no record of a prior credit.',
    {
      signers: [bob] as const,
      instructions: [transferInstruction(alice.address, 1n, bob.address)],
    },
  ],
  [
    'ProgramAccountNotFound',
    'Attempt to load a program that does not exist',
    {
      instructions: [{ programAddress: numberedAddress(8), accounts: [], data: new Uint8Array() }],
    },
  ],
])('%s is detected by the simulation', async (err, message, params) => {
  const net = await startTransactingLocalnet();
  const { error } = await net.rpc('sendTransaction', [
    await net.signTransaction(params),
    processed,
  ]);
  expect([error?.code, error?.message]).toEqual([
    -32002,
    `Transaction simulation failed: ${message}`,
  ]);
  expect(error?.data).toMatchObject({ err, logs: [], unitsConsumed: 0, fee: null });
});

test('the same transaction is rejected as already processed', async () => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({});
  await net.result('sendTransaction', [wire, processed]);
  net.advanceSlots(1);
  const { error } = await net.rpc('sendTransaction', [wire, processed]);
  expect(error?.message).toBe(
    'Transaction simulation failed: This transaction has already been processed',
  );
});

test('the simulation uses blockhashes of its commitment, finalized by default', async () => {
  const net = await startTransactingLocalnet();
  net.advanceSlots(1);
  const wire = await net.signTransaction({});
  const { error } = await net.rpc('sendTransaction', [wire, { encoding: 'base64' }]);
  expect(error?.message).toBe('Transaction simulation failed: Blockhash not found');
  net.advanceSlots(32);
  const sent = await net.rpc('sendTransaction', [wire, { encoding: 'base64' }]);
  expect(sent.error).toBeUndefined();
});

test('a wrong signature is rejected; without preflight it is accepted and never executed', async () => {
  const net = await startTransactingLocalnet();
  const bytes = decodeBase64(await net.signTransaction({}));
  const wire = encodeBase64(bytes.with(1, (bytes[1] ?? 0) ^ 1));
  expect((await net.rpc('sendTransaction', [wire, processed])).error).toEqual({
    code: -32003,
    message: 'Transaction signature verification failure',
  });
  const unchecked = { encoding: 'base64', skipPreflight: true };
  const { result } = await net.rpc('sendTransaction', [wire, unchecked]);
  net.advanceSlots(1);
  expect(await net.result('getSignatureStatuses', [[result]])).toMatchObject({ value: [null] });
});

test('a lagging node rejects transactions with preflight', async () => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({});
  await net.result('tidegate_setFaults', [{ lagSlots: 129 }]);
  expect((await net.rpc('sendTransaction', [wire, processed])).error?.code).toBe(-32005);
});

const TRANSACTION = 'solana_transaction::versioned::VersionedTransaction';
const failed = `failed to deserialize ${TRANSACTION}: `;
const senseless = 'invalid transaction: Transaction failed to sanitize accounts offsets correctly';

test.each([
  ['0', {}, "invalid base58 encoding: InvalidCharacter { character: '0', index: 0 }"],
  [
    '1'.repeat(1684),
    {},
    `base58 encoded ${TRANSACTION} too large: 1684 bytes (max: encoded/raw 1683/1232)`,
  ],
  ['1'.repeat(1233), {}, `decoded ${TRANSACTION} too large: 1233 bytes (max: 1232 bytes)`],
  ['AA!=', { encoding: 'base64' }, 'invalid base64 encoding: InvalidByte(2, 33)'],
  ['AAAAA', { encoding: 'base64' }, 'invalid base64 encoding: InvalidLength(5)'],
  ['AAA', { encoding: 'base64' }, 'invalid base64 encoding: InvalidPadding'],
  ['AB==', { encoding: 'base64' }, 'invalid base64 encoding: InvalidLastSymbol(1, 66)'],
  [
    'A'.repeat(1648),
    { encoding: 'base64' },
    `base64 encoded ${TRANSACTION} too large: 1648 bytes (max: encoded/raw 1644/1232)`,
  ],
  ['AQ==', { encoding: 'base64' }, `${failed}it is truncated`],
  ['', { encoding: 'base64' }, `${failed}it is truncated`],
  ['x', { encoding: 'json' }, 'unsupported encoding: json. Supported encodings: base58, base64'],
  [
    'x',
    { encoding: 'hex' },
    'Invalid params: unknown variant `hex`, expected one of `binary`, `base64`, `base58`, `json`, `jsonParsed`.',
  ],
])(
  '%s with %j is rejected by sendTransaction and simulateTransaction',
  async (text, config, message) => {
    const { rpc } = await startTransactingLocalnet();
    for (const method of ['sendTransaction', 'simulateTransaction']) {
      const { error } = await rpc(method, [text, config]);
      expect([error?.code, error?.message]).toEqual([-32602, message]);
    }
  },
);

test('an invalid transaction is rejected before the simulation', async () => {
  const net = await startTransactingLocalnet();
  const unsound = decodeBase64(await net.signTransaction({}));
  // The header: as many signers as read-only signers.
  unsound[1 + 64 + 2] = 1;
  const limit = setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, {
    accounts: {},
    args: { units: 5_000 },
  });
  const table = { address: numberedAddress(9), addresses: [bob.address] };
  const params = [
    [encodeBase64(unsound), senseless],
    [
      await net.signTransaction({ instructions: [limit, limit] }),
      'invalid transaction: Transaction contains a duplicate instruction (1) that is not allowed',
    ],
    [
      await net.signTransaction({ lookupTables: [table] }),
      "invalid transaction: Transaction loads an address table account that doesn't exist",
    ],
  ];
  for (const [wire, message] of params) {
    for (const options of [processed, { encoding: 'base64', skipPreflight: true }]) {
      const { error } = await net.rpc('sendTransaction', [wire, options]);
      expect([error?.code, error?.message]).toEqual([-32602, message]);
    }
  }
});

test('a missing signature is reported', async () => {
  const net = await startTransactingLocalnet();
  const signed = {
    ...memoInstruction('x'),
    accounts: [{ address: bob.address, role: SIGN }] as const,
  };
  const wire = await net.signTransaction({ instructions: [signed] });
  expect((await net.rpc('sendTransaction', [wire, processed])).error?.code).toBe(-32003);
});
