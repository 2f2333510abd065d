import { expect, test } from 'vitest';
import { golden } from '../../../support/golden/golden-accounts.ts';
import {
  alice,
  bob,
  memoInstruction,
  startTransactingLocalnet,
} from '../../../support/localnet/transacting-localnet.ts';

const SYSTEM = '11111111111111111111111111111111';
const first = Number(golden.at.slot) + 1;
const newest = { maxSupportedTransactionVersion: 0, commitment: 'confirmed' };

test('a block has its transactions in the requested detail', async () => {
  const net = await startTransactingLocalnet();
  const wires = [
    await net.signTransaction({}),
    await net.signTransaction({ instructions: [memoInstruction('x')] }),
  ];
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  const signatures: unknown[] = [];
  for (const wire of wires) signatures.push(await net.result('sendTransaction', [wire, options]));
  net.advanceSlots(2);
  const block = async (config: object) =>
    (await net.result('getBlock', [first, { ...newest, ...config }])) as Record<string, unknown>;
  const full = await block({});
  const { blockhash: parent } = (await net.result('getBlock', [first - 1, newest])) as {
    blockhash: string;
  };
  expect(full).toMatchObject({
    parentSlot: first - 1,
    previousBlockhash: parent,
    blockTime: Number(golden.at.unix),
    blockHeight: first - 21_000_000,
    rewards: [],
  });
  expect(full['transactions']).toMatchObject(
    signatures.map((signature) => ({ transaction: { signatures: [signature] }, version: 0 })),
  );
  const wire = await block({ encoding: 'base64' });
  expect(wire['transactions']).toMatchObject(
    wires.map((text) => ({ transaction: [text, 'base64'] })),
  );
  const accounts = await block({ transactionDetails: 'accounts' });
  expect(accounts['transactions']).toMatchObject([
    {
      transaction: {
        signatures: [signatures[0]],
        accountKeys: [{ pubkey: alice.address }, { pubkey: bob.address }, { pubkey: SYSTEM }],
      },
      meta: { fee: 5000, preBalances: [10_000_000_000, 0, 0] },
    },
    { transaction: { signatures: [signatures[1]] } },
  ]);
  expect(accounts).not.toHaveProperty('transactions.0.meta.logMessages');
  const listed = await block({ transactionDetails: 'signatures', rewards: false });
  expect(listed['signatures']).toEqual(signatures);
  expect(listed).not.toHaveProperty('transactions');
  expect(listed).not.toHaveProperty('rewards');
  const bare = await block({ transactionDetails: 'none' });
  expect(Object.keys(bare).sort()).toEqual(
    ['blockHeight', 'blockTime', 'blockhash', 'parentSlot', 'previousBlockhash', 'rewards'].sort(),
  );
});

test('the blockhash of a block is the latest blockhash at that time', async () => {
  const net = await startTransactingLocalnet();
  net.advanceSlots(1);
  const latest = await net.latestBlockhash();
  net.advanceSlots(1);
  expect(await net.result('getBlock', [first, newest])).toMatchObject({ blockhash: latest });
});

test('blocks are listed up to the commitment', async () => {
  const net = await startTransactingLocalnet();
  net.advanceSlots(40);
  const confirmed = { commitment: 'confirmed' };
  expect(await net.result('getBlocks', [first, first + 3])).toEqual(
    [0, 1, 2, 3].map((i) => first + i),
  );
  expect(await net.result('getBlocks', [first + 6])).toEqual([first + 6, first + 7]);
  expect(await net.result('getBlocks', [first + 37, confirmed])).toEqual([first + 37, first + 38]);
  expect(await net.result('getBlocks', [first + 38, null, confirmed])).toEqual([first + 38]);
  expect(await net.result('getBlocks', [first + 9, first + 8])).toEqual([]);
  expect(await net.result('getBlocksWithLimit', [first, 2])).toEqual([first, first + 1]);
  expect(await net.result('getBlocksWithLimit', [first + 7, 5])).toEqual([first + 7]);
  expect(await net.result('getBlocksWithLimit', [first + 7, 0])).toEqual([]);
  expect(await net.result('getBlocksWithLimit', [first + 38, 5, confirmed])).toEqual([first + 38]);
});

const early = 'Method does not support commitment below `confirmed`';
const processed = { commitment: 'processed' };

test.each([
  ['getBlock', [1, processed], early],
  ['getBlocks', [1, 2, processed], early],
  [
    'getBlocks',
    [1, 'x'],
    'Invalid params: data did not match any variant of untagged enum RpcBlocksConfigWrapper.',
  ],
  ['getBlocks', [1, 600_000], 'Slot range too large; max 500000'],
  ['getBlocksWithLimit', [1, 500_001], 'Limit too large; max 500000'],
  ['getBlocksWithLimit', [1], '`params` should have at least 2 argument(s)'],
])('%s with %j: %s', async (method, params, message) => {
  const { rpc } = await startTransactingLocalnet();
  const { error } = await rpc(method, params);
  expect([error?.code, error?.message]).toEqual([-32602, message]);
});

test('a block that does not exist yet fails with its error code', async () => {
  const { rpc } = await startTransactingLocalnet();
  expect((await rpc('getBlock', [first + 5])).error).toEqual({
    code: -32004,
    message: `Block not available for slot ${first + 5}`,
  });
});
