import { expect, test } from 'vitest';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { jsonPoster } from '../../support/http/post-json.ts';

/** Each test loads a cluster. */
const SEED = 'tidegate';
/**
 * A slot passes between preview and execution: interest and rewards grow by less than this
 * fraction.
 */
const TOLERANCE = 1e-4;

/** Slots until reads show the transaction: one confirms it, and one ends that. */
const CONFIRMATION_SLOTS = 2;

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

type ExecutedTransaction = {
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
  const { api, metadata, cluster, rpcUrl, advanceTime } = await startGenesisApi(SEED);
  const post = jsonPoster(api);
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(rpcUrl, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as { result: unknown; error?: unknown };
    expect(error).toBeUndefined();
    return result;
  };
  const { wallet } = metadata.demo;
  const signer = createSigner(deriveSecretKey(SEED, 'wallet/0'));
  expect(signer.address).toBe(wallet);

  /** Builds with a preview, signs, sends, and waits for the transaction. */
  const execute = async (path: string, fields: Readonly<Record<string, string>>) => {
    const { status, body } = await post(`/ktx/${path}?preview=true`, { wallet, ...fields });
    expect(status, JSON.stringify(body)).toBe(200);
    const { transaction, preview } = body as { transaction: string; preview: Preview };
    const wire = signTransaction(Uint8Array.from(Buffer.from(transaction, 'base64')), [signer]);
    const text = Buffer.from(wire).toString('base64');
    const sendOptions = { encoding: 'base64', preflightCommitment: 'processed' };
    const signature = await call('sendTransaction', [text, sendOptions]);
    for (let slots = 0; slots <= CONFIRMATION_SLOTS; slots++) advanceTime();
    const readOptions = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
    const executed = (await call('getTransaction', [
      signature,
      readOptions,
    ])) as ExecutedTransaction;
    expect(executed.meta.err).toBeNull();
    // The slot of the transaction and two more have passed.
    const latestSlot = () => Number(cluster.reader.at().slot);
    await expect.poll(latestSlot, { interval: 10 }).toBeGreaterThanOrEqual(executed.slot);
    expectPreviewed(preview, executed);
    return preview;
  };

  function expectPreviewed(preview: Preview, { meta }: ExecutedTransaction): void {
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
  return { execute, read, metadata };
}

function expectClose(previewed: number, actual: number): void {
  expect(Math.abs(previewed - actual)).toBeLessThanOrEqual(Math.abs(actual) * TOLERANCE + 2);
}

test('lending builds execute as previewed and change the loan', async () => {
  const { execute, read, metadata } = await setUp();
  const { market, obligation, deposit, borrow, repay, withdraw } = metadata.demo;
  const loan = async () => JSON.stringify(await read(`/klend/loans/${obligation}`));
  for (const [path, { reserve, amount }] of [
    ['klend/deposit', deposit],
    ['klend/borrow', borrow],
    ['klend/repay', repay],
    ['klend/withdraw', withdraw],
  ] as const) {
    const before = await loan();
    const { loan: previewed } = await execute(path, { market, reserve, amount });
    expect(previewed?.after).not.toBeNull();
    expect(await loan()).not.toBe(before);
  }
});

test('vault and claim builds execute as previewed', async () => {
  const { execute, read, metadata } = await setUp();
  const { market, vault, wallet } = metadata.demo;
  const positions = async () => JSON.stringify(await read(`/kvaults/users/${wallet}/positions`));
  const before = await positions();
  await execute('kvault/deposit', { kvault: vault, amount: '10' });
  const deposited = await positions();
  expect(deposited).not.toBe(before);
  await execute('kvault/withdraw', { kvault: vault, amount: '25' });
  expect(await positions()).not.toBe(deposited);
  await execute('farms/claim', { kvault: vault });
  await execute('farms/claim', { market });
});
