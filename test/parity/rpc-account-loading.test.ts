import { address, createSolanaRpc } from '@solana/kit';
import { expect, onTestFinished, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { readGolden } from '../support/golden/golden.ts';
import { goldenOverRpc, startGoldenNode } from '../support/golden/golden-node.ts';
import { referenceDecode } from '../support/reference/reference-base58.ts';

type Stored = { pubkey: string; owner: string; lamports: string; data: string };
type AccountsFile = { slot: string; unix: string; accounts: Stored[] };

const file = readGolden('accounts.json') as AccountsFile;
const state = await goldenOverRpc();
const NOBODY = 'Vote111111111111111111111111111111111111111';
const TOKENS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN_ACCOUNT_BYTES = 165;

const bytesOf = ({ data }: Stored): Buffer => Buffer.from(data, 'base64');

const tokenAccounts = file.accounts.filter(
  (account) => account.owner === TOKENS && bytesOf(account).length === TOKEN_ACCOUNT_BYTES,
);

async function nodeUrl(encodings?: readonly string[]): Promise<URL> {
  const { url, stop } = await startGoldenNode(encodings && { encodings });
  onTestFinished(stop);
  return url;
}

async function sourceOf(encodings: readonly string[]) {
  const source = createClusterSource({
    rpcUrls: [await nodeUrl(encodings)],
    wsUrls: [],
    commitment: 'confirmed',
    clock: Date.now,
    random: Math.random,
    log: silentLog,
  });
  onTestFinished(() => source.close());
  return source;
}

test.each([
  ['packed', ['base64', 'base64+zstd']],
  ['uncompressed', ['base64']],
])('loads every byte of the file from a node that sends data %s', async (_, encodings) => {
  const source = await sourceOf(encodings);
  const addresses = [...file.accounts.map(({ pubkey }) => pubkey), NOBODY].map(toAddress);
  const { slot, accounts } = await source.getAccounts(addresses);
  expect(String(slot)).toBe(file.slot);
  expect(accounts.at(-1)).toBeUndefined();
  const arrived = accounts.slice(0, -1).map((account) => ({
    owner: account?.owner,
    lamports: String(account?.lamports),
    data: Buffer.from(account?.data ?? []).toString('base64'),
  }));
  expect(arrived).toEqual(file.accounts.map(({ pubkey: _, ...stored }) => stored));

  const scanned = await source.scanProgram({
    program: toAddress(TOKENS),
    filters: [
      { kind: 'size', size: TOKEN_ACCOUNT_BYTES },
      { kind: 'bytes', offset: 0, bytes: referenceDecode(USDC) },
    ],
  });
  const ofUsdc = tokenAccounts.filter((one) =>
    bytesOf(one).subarray(0, 32).equals(referenceDecode(USDC)),
  );
  expect(ofUsdc.length).toBeGreaterThan(5);
  expect(scanned.accounts.map((one) => one.address).sort()).toEqual(
    ofUsdc.map(({ pubkey }) => pubkey).sort(),
  );
});

test('state has the slot and time of the file and the slot time of the node', async () => {
  expect(state.at()).toEqual({ slot: BigInt(file.slot), unix: BigInt(file.unix) });
  const source = await sourceOf(['base64']);
  const slotMs = await source.getSlotDurationMs();
  expect(Number(slotMs?.numerator) / Number(slotMs?.denominator)).toBe(400);
});

test('kit can read the accounts of the node', async () => {
  const rpc = createSolanaRpc(String(await nodeUrl()));
  const [first] = file.accounts;
  if (first === undefined) throw new Error('no account');
  const whole = await rpc.getAccountInfo(address(first.pubkey), { encoding: 'base64' }).send();
  expect(whole.context.slot).toBe(BigInt(file.slot));
  expect(whole.value).toMatchObject({
    data: [first.data, 'base64'],
    lamports: BigInt(first.lamports),
    owner: first.owner,
    space: BigInt(bytesOf(first).length),
  });
  const owners = await rpc
    .getProgramAccounts(address(TOKENS), {
      encoding: 'base64',
      dataSlice: { offset: 32, length: 32 },
      filters: [{ dataSize: BigInt(TOKEN_ACCOUNT_BYTES) }],
    })
    .send();
  expect(owners.map(({ pubkey, account }) => [pubkey, account.data[0]])).toEqual(
    tokenAccounts.map((one) => [one.pubkey, bytesOf(one).subarray(32, 64).toString('base64')]),
  );
  expect(await rpc.getBlockTime(BigInt(file.slot)).send()).toBe(BigInt(file.unix));
  expect(await rpc.getHealth().send()).toBe('ok');
  const { value: latest } = await rpc.getLatestBlockhash().send();
  expect(latest.blockhash).toBe(await rpc.getGenesisHash().send());
  const minContextSlot = BigInt(file.slot) + 1n;
  await expect(rpc.getSlot({ minContextSlot }).send()).rejects.toMatchObject({
    context: { __code: -32016, contextSlot: BigInt(file.slot) },
  });
});
