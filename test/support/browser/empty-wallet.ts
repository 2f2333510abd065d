import type { Site } from './open-site.ts';
import { callCluster } from './standard-wallet.ts';

/** The wallet has none of a token while the work runs. */
export async function withoutTokens(
  { url, demo: { market, wallet, rpcUrl } }: Pick<Site, 'url' | 'demo'>,
  reserve: string,
  work: () => Promise<void>,
): Promise<void> {
  const list = (await (await fetch(`${url}/svc-market/${market}/reserves/metrics`)).json()) as {
    readonly reserve: string;
    readonly liquidityTokenMint: string;
  }[];
  const mint = list.find((each) => each.reserve === reserve)?.liquidityTokenMint;
  const { value } = (await callCluster(rpcUrl, 'getTokenAccountsByOwner', [
    wallet,
    { mint },
    { encoding: 'base64', commitment: 'processed' },
  ])) as {
    value: {
      pubkey: string;
      account: { data: [string, string]; lamports: number; owner: string };
    }[];
  };
  const [held] = value;
  if (held === undefined) throw new Error(`the wallet has no account for ${mint}`);
  const { data, lamports, owner } = held.account;
  const emptied = Buffer.from(data[0], 'base64').fill(0, 64, 72).toString('base64');
  const set = (text: string) =>
    callCluster(rpcUrl, 'tidegate_setAccount', [
      held.pubkey,
      { owner, lamports, data: [text, 'base64'] },
    ]);
  await set(emptied);
  try {
    await work();
  } finally {
    await set(data[0]);
  }
}
