import { isDeepStrictEqual } from 'node:util';
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
  const checks = async () => {
    const { body } = await api.get('/status');
    const [cluster] = (body as { clusters: { checks: { lateUpdates: number; delayMs: number } }[] })
      .clusters;
    return cluster?.checks ?? { lateUpdates: 0, delayMs: 0 };
  };
  /**
   * Reads until the condition holds. An answer equals the bank at its slot or is marked; if an update is later than any
   * before, so that nobody can know yet, the alarm follows.
   */
  const readUntil = async (isDone: () => boolean | Promise<boolean>): Promise<void> => {
    let fee = 100;
    while (!(await isDone())) {
      await setVaultFee(golden, ++fee);
      const { lateUpdates } = await checks();
      const { status, headers, body } = await api.get(VAULT_PATH);
      expect(status).toBe(200);
      if (headers.get('x-unproven')?.includes('code=lateUpdates')) continue;
      const expected = await bankResponse(VAULT_PATH, BigInt(headers.get('x-slot') ?? -1));
      if (isDeepStrictEqual(body, expected)) continue;
      await expect
        .poll(async () => (await checks()).lateUpdates, LONG_POLL)
        .toBeGreaterThan(lateUpdates);
    }
  };
  const isLate = (text: string) => text.includes('"programNotification"');
  return { golden, node, api, readUntil, checks, isLate };
}

test.each([
  ['late', () => LATE_MS],
  ['reordered', (n: number) => (n * 37) % LATE_MS],
] as const)(
  'with %s updates, an answer is that of its slot or marked, or the alarm follows',
  async (_, lateMs) => {
    const { golden, node, api, readUntil, checks, isLate } = await setUp();
    expect(await checks()).toMatchObject({ lateUpdates: 0, delayMs: 0 });
    let count = 0;
    node.setFault({ lateMs: (text) => (isLate(text) ? lateMs(++count) : 0) });
    await setVaultFee(golden, 99);
    await setVaultFee(golden, 98);
    await expect.poll(async () => (await checks()).lateUpdates, LONG_POLL).toBeGreaterThan(0);
    const since = await setVaultFee(golden, 97);
    await readUntil(async () => responseSlot(await api.get('/health')) > since + 20n);
    const { delayMs } = await checks();
    expect(delayMs).toBeGreaterThan(LATE_MS / 4);
    expect(delayMs).toBeLessThan(10_000);
    const settled = responseSlot(await api.get('/health'));
    await readUntil(async () => responseSlot(await api.get('/health')) > settled + 20n);
    node.setFault({});
    const end = await setVaultFee(golden, 96);
    await waitForServedSlot(api, end);
    await readUntil(async () => responseSlot(await api.get('/health')) > end + 5n);
  },
);
