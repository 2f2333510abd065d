import { expect, test } from 'vitest';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { jsonPoster } from '../../support/http/post-json.ts';

/** A cluster is loaded in each. */
const slow = { timeout: 90_000 };
const SEED = 'tidegate';
/** Between preview and landing a slot passes: interest and rewards grow by less than this part. */
const TOLERANCE = 1e-4;

/** After the one it landed in, until reads show it: one that confirms it, and one that ends that. */
const MOST_SLOTS = 2;

type Preview = {
  readonly simulated: boolean;
  readonly success: boolean;
  readonly error: unknown;
  readonly feeLamports: string;
  readonly solChangeLamports: string;
  readonly computeUnits: number;
  readonly tokenChanges: readonly { readonly mint: string; readonly change: string }[];
  readonly loan: { readonly after: unknown } | null;
};

type Balance = {
  readonly owner: string;
  readonly mint: string;
  readonly uiTokenAmount: { readonly amount: string };
};

type Landed = {
  readonly slot: number;
  readonly meta: {
    readonly err: unknown;
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly preTokenBalances: readonly Balance[];
    readonly postTokenBalances: readonly Balance[];
    readonly computeUnitsConsumed: number;
  };
};

async function setUp() {
  const { api, facts, cluster, rpcUrl, pass } = await startGenesisApi(SEED);
  const post = jsonPoster(api);
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body });
    const { result, error } = (await answer.json()) as { result: unknown; error?: unknown };
    expect(error).toBeUndefined();
    return result;
  };
  const { wallet } = facts.demo;
  const signer = createSigner(deriveSecretKey(SEED, 'wallet/0'));
  expect(signer.address).toBe(wallet);

  /** Built with a preview, signed, sent, and landed. */
  const act = async (path: string, asked: Readonly<Record<string, string>>) => {
    const { status, body } = await post(`/ktx/${path}?preview=true`, { wallet, ...asked });
    expect(status, JSON.stringify(body)).toBe(200);
    const { transaction, preview } = body as { transaction: string; preview: Preview };
    const wire = signTransaction(Uint8Array.from(Buffer.from(transaction, 'base64')), [signer]);
    const text = Buffer.from(wire).toString('base64');
    const sent = { encoding: 'base64', preflightCommitment: 'processed' };
    const signature = await call('sendTransaction', [text, sent]);
    for (let slots = 0; slots <= MOST_SLOTS; slots++) pass();
    const asking = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
    const landed = (await call('getTransaction', [signature, asking])) as Landed;
    expect(landed.meta.err).toBeNull();
    // the slot that it landed in and two more have passed
    const shown = () => Number(cluster.reader.at().slot);
    await expect.poll(shown, { timeout: 20_000, interval: 10 }).toBeGreaterThanOrEqual(landed.slot);
    expectForetold(preview, landed);
    return preview;
  };

  function expectForetold(preview: Preview, { meta }: Landed): void {
    expect(preview).toMatchObject({ simulated: true, success: true, error: null });
    const changes = new Map<string, number>();
    const add = (balances: readonly Balance[], sign: number) => {
      for (const { owner, mint, uiTokenAmount } of balances) {
        if (owner !== wallet) continue;
        changes.set(mint, (changes.get(mint) ?? 0) + sign * Number(uiTokenAmount.amount));
      }
    };
    add(meta.postTokenBalances, 1);
    add(meta.preTokenBalances, -1);
    const moved = [...changes].filter(([, change]) => change !== 0);
    expect(preview.tokenChanges.map(({ mint }) => mint).sort()).toEqual(
      moved.map(([mint]) => mint).sort(),
    );
    for (const { mint, change } of preview.tokenChanges) {
      expectClose(Number(change), changes.get(mint) ?? 0);
    }
    const [before = 0] = meta.preBalances;
    const [after = 0] = meta.postBalances;
    expectClose(Number(preview.solChangeLamports), after - before);
    expect(meta.computeUnitsConsumed).toBe(preview.computeUnits);
  }

  const read = async (path: string) => (await api.get(path)).body;
  return { act, read, facts };
}

function expectClose(told: number, happened: number): void {
  expect(Math.abs(told - happened)).toBeLessThanOrEqual(Math.abs(happened) * TOLERANCE + 2);
}

test('lending: what is built is signed, sent, shown, and was foretold', slow, async () => {
  const { act, read, facts } = await setUp();
  const { market, obligation, deposit, borrow, repay, withdraw } = facts.demo;
  const loan = async () => JSON.stringify(await read(`/klend/loans/${obligation}`));
  for (const [path, { reserve, amount }] of [
    ['klend/deposit', deposit],
    ['klend/borrow', borrow],
    ['klend/repay', repay],
    ['klend/withdraw', withdraw],
  ] as const) {
    const before = await loan();
    const { loan: told } = await act(path, { market, reserve, amount });
    expect(told?.after).not.toBeNull();
    expect(await loan()).not.toBe(before);
  }
});

test('vaults and rewards: likewise', slow, async () => {
  const { act, read, facts } = await setUp();
  const { market, vault, wallet } = facts.demo;
  const positions = async () => JSON.stringify(await read(`/kvaults/users/${wallet}/positions`));
  const before = await positions();
  await act('kvault/deposit', { kvault: vault, amount: '10' });
  const deposited = await positions();
  expect(deposited).not.toBe(before);
  await act('kvault/withdraw', { kvault: vault, amount: '25' });
  expect(await positions()).not.toBe(deposited);
  await act('farms/claim', { kvault: vault });
  await act('farms/claim', { market });
});
