import { waitUntil } from '../waiting/wait-until.ts';
import type { Site } from './open-site.ts';
import { callCluster } from './standard-wallet.ts';

/** Fewer than a source must be ahead to be doubted, and in all more than a blockhash lives. */
const WARP = { slots: 40, times: 5 };

/** Lets time pass until the last valid block height of a transaction is over. */
export async function passExpiry({ url, demo }: Pick<Site, 'url' | 'demo'>): Promise<void> {
  for (let times = 0; times < WARP.times; times += 1) {
    const { slot } = (await callCluster(demo.rpcUrl, 'tidegate_warp', [{ slots: WARP.slots }])) as {
      readonly slot: number;
    };
    await waitUntil(async () => (await readSlot(url)) >= slot, `the server is at slot ${slot}`);
  }
}

async function readSlot(url: string): Promise<number> {
  const response = await fetch(`${url}/health`);
  await response.text();
  return Number(response.headers.get('x-slot') ?? 0);
}
