import { expect, onTestFinished, test } from 'vitest';
import { FakeNode } from '../../../../../test/support/fakes/fake-node.ts';
import { mainnetAccounts } from '../../../../../test/support/mainnet/mainnet-fixtures.ts';
import { checkAccounts } from './account-checks.ts';

const MAIN_MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const limits = {
  commitment: 'confirmed',
  maxLagSlots: 150,
  timeoutMs: 30_000,
  clock: () => 0,
} as const;

async function startNode() {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  const check = () =>
    checkAccounts({ env: 'mainnet-beta', setting: 'RPC_URL', urls: [node.url] }, limits);
  return { node, check };
}

/** The recorded main market, with another last byte, which is padding. */
function marketWith(byte: number) {
  const market = mainnetAccounts().find(({ address }) => address === MAIN_MARKET);
  if (market === undefined) throw new Error('the main market is not recorded');
  const data = market.data.slice();
  data[data.length - 1] = byte;
  return { owner: market.owner, lamports: 1n, data };
}

test('accounts of the programs without unknown bytes are ok', async () => {
  const { node, check } = await startNode();
  node.accounts.set(MAIN_MARKET, marketWith(0));
  expect(await check()).toEqual([
    {
      name: 'program data',
      status: 'ok',
      message: '1 accounts have no byte that this version does not know.',
    },
  ]);
});

test('an unknown byte is a warning with the account and its offset', async () => {
  const { node, check } = await startNode();
  const market = marketWith(3);
  node.accounts.set(MAIN_MARKET, market);
  const byte = market.data.length - 1;
  expect(await check()).toMatchObject([
    {
      status: 'warning',
      message: `Bytes are in use that this version does not know: byte ${byte} (padding1) of ${MAIN_MARKET} is not zero`,
    },
  ]);
});

test('a node that does not answer is no finding about the programs', async () => {
  const { node, check } = await startNode();
  node.reply = () => ({ error: { code: -32_601, message: 'Method not found' } });
  expect(await check()).toMatchObject([
    {
      status: 'warning',
      message: expect.stringMatching(/^The accounts of the programs were not read/),
    },
  ]);
});
