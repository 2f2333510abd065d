import type { ClusterWallet } from './cluster-wallet.ts';

type Metrics = {
  readonly reserve: string;
  readonly liquidityToken: string;
  readonly liquidityTokenMint: string;
  readonly maxLtv: string;
};

type Site = { readonly url: string; readonly market: string };

/** A loan of bSOL against USDC, close to the most that can be borrowed. */
export async function openRiskyLoan(owner: ClusterWallet, { url, market }: Site) {
  const readJson = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();
  const metrics = (await readJson(`/svc-market/${market}/reserves/metrics`)) as Metrics[];
  const prices = (await readJson('/oracles/prices')) as { mint: string; price: string }[];
  const find = (symbol: string) => {
    const found = metrics.find(({ liquidityToken }) => liquidityToken === symbol);
    if (found === undefined) throw new Error(`no reserve of ${symbol}`);
    const { reserve, liquidityTokenMint: mint, maxLtv } = found;
    const price = Number(prices.find((each) => each.mint === mint)?.price);
    return { reserve, mint, symbol, price, maxLtv: Number(maxLtv) };
  };
  const [collateral, debt] = [find('bSOL'), find('USDC')];
  await owner.airdrop(collateral.mint, 20_000_000_000n);
  await owner.execute('/ktx/klend/deposit', { market, reserve: collateral.reserve, amount: '10' });
  const amount = (10 * collateral.price * collateral.maxLtv * 0.97).toFixed(2);
  await owner.execute('/ktx/klend/borrow', { market, reserve: debt.reserve, amount });
  return { collateral, debt };
}
