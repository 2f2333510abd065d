import { expect } from 'vitest';
import { jsonPoster } from '../http/post-json.ts';
import { type RunningServer, runTidegate } from '../processes/run-tidegate.ts';

type Demo = {
  readonly rpcUrl: string;
  readonly wallet: string;
  readonly market: string;
  readonly obligation: string;
  readonly deposit: { readonly reserve: string };
};
type Loan = {
  readonly loanInfo: {
    readonly collateral: { readonly deposits: { tokenMint: string; tokenPrice: number }[] };
  };
};

const getJson = async (url: string): Promise<unknown> => (await fetch(url)).json();

/** The demo loan of a server with the embedded cluster, whose prices a test sets. */
export async function readDemo({ url }: Pick<RunningServer, 'url'>) {
  const { demo } = (await getJson(`${url}/status`)) as { demo: Demo };
  const rpc = jsonPoster({ url: demo.rpcUrl });
  const setPrice = async (reserve: string, price: string): Promise<void> => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tidegate_setPrice', params: [reserve, price] };
    const { body } = await rpc('', call);
    expect(body).toHaveProperty('result');
    const { slot } = (body as { result: { slot: number } }).result;
    // until reads show it
    const read = async () => (await fetch(`${url}/v2/svc-market?minContextSlot=${slot}`)).status;
    await expect.poll(read).toBe(200);
  };
  /** Multiplies the prices of all tokens that the loan has deposited. */
  const changeCollateralPrices = async (factor: number): Promise<void> => {
    const loan = (await getJson(`${url}/klend/loans/${demo.obligation}`)) as Loan;
    const { deposits } = loan.loanInfo.collateral;
    const prices = new Map(deposits.map((each) => [each.tokenMint, each.tokenPrice]));
    const path = `/svc-market/${demo.market}/reserves/metrics`;
    const reserves = (await getJson(`${url}${path}`)) as Record<string, string>[];
    for (const { reserve = '', liquidityTokenMint = '' } of reserves) {
      const price = prices.get(liquidityTokenMint);
      if (price !== undefined) await setPrice(reserve, (price * factor).toFixed(6));
    }
  };
  return { ...demo, setPrice, changeCollateralPrices };
}

export async function createTestKey(dataDir: string): Promise<string> {
  return (await runTidegate(['keys', 'create'], { DATA_DIR: dataDir })).out.trim();
}
