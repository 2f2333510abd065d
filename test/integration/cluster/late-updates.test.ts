import { expect, test } from 'vitest';
import { createBankResponses } from '../../support/clusters/bank-responses.ts';
import { startFaultyNode } from '../../support/clusters/faulty-node.ts';
import { responseSlot } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  serveLocalnet,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

const LATE_MS = 200;

async function setUp() {
  const golden = await startGoldenLocalnet();
  const node = await startFaultyNode(golden);
  const api = await serveLocalnet(golden, { nodes: [node] });
  await waitUntilReady(api);
  const bankResponse = await createBankResponses(golden.localnet.bank);
  /** Reads until the condition holds; returns how many reads were marked. All others equal the bank at their slot. */
  const readUntil = async (isDone: () => boolean | Promise<boolean>): Promise<number> => {
    let marked = 0;
    let fee = 100;
    while (!(await isDone())) {
      await setVaultFee(golden, ++fee);
      const response = await api.get(VAULT_PATH);
      expect(response.status).toBe(200);
      if (response.headers.get('x-unproven')?.includes('code=lateUpdates')) marked += 1;
      else expect(response.body).toEqual(await bankResponse(VAULT_PATH, responseSlot(response)));
    }
    return marked;
  };
  const checks = async () => {
    const { body } = await api.get('/status');
    const [cluster] = (body as { clusters: { checks: { lateUpdates: number; delayMs: number } }[] })
      .clusters;
    return cluster?.checks ?? { lateUpdates: 0, delayMs: 0 };
  };
  const isLate = (text: string) => text.includes('"programNotification"');
  return { golden, node, api, readUntil, checks, isLate };
}

test.each([
  ['late', () => LATE_MS],
  ['reordered', (n: number) => (n * 37) % LATE_MS],
] as const)(
  'after the first %s update, an answer is that of its slot or marked, and later ones are not marked',
  async (_, lateMs) => {
    const { golden, node, api, readUntil, checks, isLate } = await setUp();
    await readUntil(
      async () => (await checks()).lateUpdates === 0 && responseSlot(await api.get('/health')) > 0n,
    );
    let count = 0;
    node.setFault({ lateMs: (text) => (isLate(text) ? lateMs(++count) : 0) });
    await setVaultFee(golden, 99);
    await setVaultFee(golden, 98);
    await expect.poll(async () => (await checks()).lateUpdates, LONG_POLL).toBeGreaterThan(0);
    const since = await setVaultFee(golden, 97);
    const marked = await readUntil(
      async () => responseSlot(await api.get('/health')) > since + 20n,
    );
    expect(marked).toBeGreaterThan(0);
    const { delayMs } = await checks();
    expect(delayMs).toBeGreaterThan(LATE_MS / 4);
    expect(delayMs).toBeLessThan(10_000);
    // the delay is long enough now
    const settled = responseSlot(await api.get('/health'));
    await readUntil(async () => responseSlot(await api.get('/health')) > settled + 20n);
    node.setFault({});
    const end = await setVaultFee(golden, 96);
    await waitForServedSlot(api, end);
    expect(await readUntil(async () => responseSlot(await api.get('/health')) > end + 5n)).toBe(0);
  },
);
