import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { EMPTY_SIGNATURE } from '#core/protocol/spl/transaction/wire.ts';
import { rpcMethods } from '#localnet/rpc/methods/methods.ts';
import { goldenFlow } from '../../../support/golden/golden.ts';
import {
  golden,
  goldenObligation,
  goldenTokenAccount,
  UNKNOWN_ADDRESS,
} from '../../../support/golden/golden-accounts.ts';
import { startGoldenLocalnet } from '../../../support/localnet/golden-localnet.ts';
import { assertAsyncProperty } from '../../../support/properties/assert-property.ts';

const rpcError = (code: number, message: string, id: unknown = null) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id,
});

test.each([
  ['', rpcError(-32700, 'Parse error')],
  ['{', rpcError(-32700, 'Parse error')],
  ['\u0000', rpcError(-32700, 'Parse error')],
  ['1', rpcError(-32600, 'Invalid request')],
  ['"x"', rpcError(-32600, 'Invalid request')],
  ['null', rpcError(-32600, 'Invalid request')],
  ['{}', rpcError(-32600, 'Invalid request')],
  ['{"id":7}', rpcError(-32600, 'Invalid request', 7)],
  ['{"jsonrpc":"1.0","id":7,"method":"getSlot"}', rpcError(-32600, 'Invalid request', 7)],
  ['{"jsonrpc":"2.0","id":7,"method":5}', rpcError(-32600, 'Invalid request', 7)],
  [
    '{"jsonrpc":"2.0","id":7,"method":"getSlot","params":3}',
    rpcError(-32600, 'Invalid request', 7),
  ],
  ['{"jsonrpc":"2.0","id":7,"method":"getSlot","x":3}', rpcError(-32600, 'Invalid request', 7)],
  ['{"jsonrpc":"2.0","id":-1,"method":"getSlot"}', rpcError(-32600, 'Invalid request')],
  ['{"jsonrpc":"2.0","id":{},"method":"getSlot"}', rpcError(-32600, 'Invalid request')],
  ['{"id":7,"method":"getSlot"}', rpcError(-32600, 'Unsupported JSON-RPC protocol version', 7)],
  ['{"jsonrpc":"2.0","id":"a","method":"getSlots"}', rpcError(-32601, 'Method not found', 'a')],
  ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', rpcError(-32601, 'Method not found', 1)],
  ['{"jsonrpc":"2.0","id":1,"method":"toString"}', rpcError(-32601, 'Method not found', 1)],
  [
    '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}',
    rpcError(-32602, '`params` should be an array', 1),
  ],
  [
    '[1,{"jsonrpc":"2.0","id":2,"method":"x"}]',
    [rpcError(-32600, 'Invalid request'), rpcError(-32601, 'Method not found', 2)],
  ],
])('%s gets the response of a node', async (body, expected) => {
  const { post } = await startGoldenLocalnet();
  const answer = await post(body);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual(expected);
});

test.each(['[]', '{"jsonrpc":"2.0","method":"getSlot"}'])('%s gets no response', async (body) => {
  const { post } = await startGoldenLocalnet();
  const answer = await post(body);
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

test('a batch is answered in order', async () => {
  const { post } = await startGoldenLocalnet();
  const calls = ['getHealth', 'nothing', 'getSlot'].map((method, id) => ({
    jsonrpc: '2.0',
    id,
    method,
  }));
  expect(await (await post(JSON.stringify(calls))).json()).toEqual([
    { jsonrpc: '2.0', result: 'ok', id: 0 },
    rpcError(-32601, 'Method not found', 1),
    { jsonrpc: '2.0', result: Number(golden.at.slot) - 32, id: 2 },
  ]);
});

const long = '1'.repeat(45);
const invalid = 'Invalid params: ';

test.each([
  ['getAccountInfo', [], '`params` should have at least 1 argument(s)'],
  ['getAccountInfo', ['a', {}, 1], 'Invalid parameters: Expected from 1 to 2 parameters.'],
  ['getAccountInfo', [5], `${invalid}invalid type: integer \`5\`, expected a string.`],
  ['getAccountInfo', [null], `${invalid}invalid type: null, expected a string.`],
  ['getAccountInfo', [[]], `${invalid}invalid type: sequence, expected a string.`],
  ['getAccountInfo', ['0OIl'], 'Invalid param: Invalid'],
  ['getAccountInfo', ['abc'], 'Invalid param: WrongSize'],
  ['getAccountInfo', [long], 'Invalid param: WrongSize'],
  [
    'getAccountInfo',
    [UNKNOWN_ADDRESS, 'x'],
    `${invalid}invalid type: string "x", expected struct RpcAccountInfoConfig.`,
  ],
  [
    'getAccountInfo',
    [UNKNOWN_ADDRESS, { encoding: 'hex' }],
    `${invalid}unknown variant \`hex\`, expected one of \`binary\`, \`base58\`, \`base64\`, \`jsonParsed\`, \`base64+zstd\`.`,
  ],
  [
    'getAccountInfo',
    [UNKNOWN_ADDRESS, { commitment: 'max' }],
    `${invalid}unknown variant \`max\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`,
  ],
  [
    'getAccountInfo',
    [UNKNOWN_ADDRESS, { dataSlice: { offset: 1 } }],
    `${invalid}missing field \`length\`.`,
  ],
  [
    'getAccountInfo',
    [UNKNOWN_ADDRESS, { dataSlice: { offset: -1, length: 1 } }],
    `${invalid}invalid value: integer \`-1\`, expected usize.`,
  ],
  [
    'getAccountInfo',
    [UNKNOWN_ADDRESS, { minContextSlot: 1.5 }],
    `${invalid}invalid type: floating point \`1.5\`, expected u64.`,
  ],
  [
    'getMultipleAccounts',
    [UNKNOWN_ADDRESS],
    `${invalid}invalid type: string "${UNKNOWN_ADDRESS}", expected a sequence.`,
  ],
  ['getMultipleAccounts', [Array(101).fill(UNKNOWN_ADDRESS)], 'Too many inputs provided; max 100'],
  [
    'getProgramAccounts',
    [KLEND_PROGRAM, { filters: Array(5).fill({ dataSize: 1 }) }],
    'Too many filters provided; max 4',
  ],
  [
    'getProgramAccounts',
    [KLEND_PROGRAM, { filters: [{ memcmp: { offset: 0, bytes: '0' } }] }],
    'Invalid param: Base58DecodeError(InvalidCharacter)',
  ],
  [
    'getProgramAccounts',
    [KLEND_PROGRAM, { filters: [{ memcmp: { offset: 0, bytes: '1'.repeat(129) } }] }],
    'Invalid param: DataTooLarge',
  ],
  [
    'getProgramAccounts',
    [KLEND_PROGRAM, { filters: [{ memcmp: { offset: 0, bytes: '1'.repeat(176) } }] }],
    'Invalid param: DataTooLarge',
  ],
  [
    'getProgramAccounts',
    [KLEND_PROGRAM, { filters: [{ size: 1 }] }],
    `${invalid}unknown variant \`size\`, expected one of \`dataSize\`, \`memcmp\`, \`tokenAccountState\`.`,
  ],
  ['getTokenAccountsByOwner', [UNKNOWN_ADDRESS], '`params` should have at least 2 argument(s)'],
  [
    'getTokenAccountsByOwner',
    [UNKNOWN_ADDRESS, { programId: UNKNOWN_ADDRESS }],
    'Invalid param: unrecognized Token program id',
  ],
  [
    'getTokenAccountsByOwner',
    [UNKNOWN_ADDRESS, { mint: UNKNOWN_ADDRESS }],
    'Invalid param: could not find mint',
  ],
  [
    'getTokenAccountsByOwner',
    [UNKNOWN_ADDRESS, { mint: goldenObligation.address }],
    'Invalid param: not a Token mint',
  ],
  ['getTokenAccountBalance', [UNKNOWN_ADDRESS], 'Invalid param: could not find account'],
  ['getTokenAccountBalance', [goldenObligation.address], 'Invalid param: not a Token account'],
  ['getTokenSupply', [UNKNOWN_ADDRESS], 'Invalid param: could not find account'],
  ['getTokenSupply', [goldenObligation.address], 'Invalid param: not a Token mint'],
  ['getTokenSupply', [goldenTokenAccount.address], 'Invalid param: mint could not be unpacked'],
  ['getTokenLargestAccounts', [UNKNOWN_ADDRESS], 'Invalid param: could not find mint'],
  [
    'getTokenLargestAccounts',
    [goldenTokenAccount.address],
    'Invalid param: Token mint could not be unpacked',
  ],
  ['isBlockhashValid', ['abc'], 'Invalid param: WrongSize'],
  ['getBlockTime', ['1'], `${invalid}invalid type: string "1", expected u64.`],
  ['getRecentPerformanceSamples', [721], 'Invalid limit; max 720'],
  [
    'getRecentPrioritizationFees',
    [Array(129).fill(UNKNOWN_ADDRESS)],
    'Too many inputs provided; max 128',
  ],
  ['getVersion', [1], 'Invalid parameters: No parameters were expected'],
])('%s with %j: %s', async (method, params, message) => {
  const { rpc } = await startGoldenLocalnet();
  const { error } = await rpc(method, params);
  expect([error?.code, error?.message]).toEqual([-32602, message]);
});

test('requests other than POST with JSON are rejected', async () => {
  const { rpcUrl, post } = await startGoldenLocalnet();
  expect((await fetch(rpcUrl)).status).toBe(405);
  expect((await fetch(rpcUrl, { method: 'PUT', body: '{}' })).status).toBe(405);
  expect((await fetch(rpcUrl, { method: 'POST', body: '{}' })).status).toBe(415);
  expect((await fetch(rpcUrl, { method: 'OPTIONS' })).status).toBe(200);
  expect(await (await fetch(`${rpcUrl}/health`)).text()).toBe('ok');
  const charset = await post('{', { 'content-type': 'application/json; charset=utf-8' });
  expect(charset.status).toBe(200);
});

test('a body above one megabyte is rejected, and the next request works', async () => {
  const { post, result } = await startGoldenLocalnet();
  expect((await post(' '.repeat(1024 * 1024 + 1))).status).toBe(413);
  expect((await post(`{${' '.repeat(1024 * 1024 - 1)}`)).status).toBe(200);
  expect(await result('getHealth')).toBe('ok');
});

/** A transaction of another cluster. */
const WIRE = goldenFlow('02-borrow-sol.json').transactions[0]?.wire;

test('property: no parameters cause an unexpected error', async () => {
  const { node } = await startGoldenLocalnet();
  const names = [
    'encoding',
    'commitment',
    'dataSlice',
    'filters',
    'memcmp',
    'offset',
    'length',
    'bytes',
    'minContextSlot',
    'mint',
    'programId',
    'dataSize',
    'withContext',
    'accounts',
    'addresses',
    'before',
    'innerInstructions',
    'limit',
    'maxSupportedTransactionVersion',
    'preflightCommitment',
    'recentBlockhash',
    'replaceRecentBlockhash',
    'rewards',
    'searchTransactionHistory',
    'sigVerify',
    'skipPreflight',
    'transactionDetails',
  ];
  const keys = fc.constantFrom<unknown>(
    KLEND_PROGRAM,
    TOKEN_PROGRAM,
    goldenObligation.address,
    goldenTokenAccount.address,
    UNKNOWN_ADDRESS,
    'base64',
    'base64+zstd',
    'jsonParsed',
    'json',
    'processed',
    'confirmed',
    EMPTY_SIGNATURE,
    WIRE,
    [],
    {},
    0,
    2 ** 53,
    -1,
    Number.MAX_VALUE,
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      keys,
      fc.jsonValue(),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
  }));
  await assertAsyncProperty(
    fc.asyncProperty(
      fc.constantFrom(...rpcMethods),
      fc.array(value, { maxLength: 3 }),
      async ([, method], params) => {
        try {
          await method(node, params);
        } catch (error) {
          expect(error).toMatchObject({ code: 'RPC_REFUSAL' });
        }
      },
    ),
    3_000,
  );
});
