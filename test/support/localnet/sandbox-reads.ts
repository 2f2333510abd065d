import { address, createSolanaRpc } from '@solana/kit';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';

/** The prices of all reserves, read over RPC. */
export async function reservePrices(
  rpcUrl: string,
): Promise<{ readonly mint: string; readonly usd: number }[]> {
  const filters = [{ dataSize: BigInt(reserve.size) }];
  const found = await createSolanaRpc(rpcUrl)
    .getProgramAccounts(address(KLEND_PROGRAM), { encoding: 'base64', filters })
    .send();
  return found.map(({ account }) => {
    const data = Uint8Array.from(Buffer.from(account.data[0], 'base64'));
    const { liquidity } = reserve.decode({ owner: KLEND_PROGRAM, data });
    return { mint: liquidity.mintPubkey, usd: Number(liquidity.marketPriceSf) / 2 ** 60 };
  });
}

type RpcAnswer = { readonly result?: unknown; readonly error?: { readonly message: string } };

/** Calls a method that kit does not know. */
export async function callControl(
  rpcUrl: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<RpcAnswer> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as RpcAnswer;
}
