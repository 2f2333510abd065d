import { type ApiRequest, request } from '../../../api/server.ts';

type DemoResult =
  | { readonly kind: 'sent'; readonly signature: string; readonly slot: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Lets the server sign with a wallet of its embedded cluster. The key stays on the server. The operation is not in the
 * OpenAPI document, because only a server with the embedded cluster has it, so its types are here.
 */
export async function signWithDemoWallet(wallet: string, transaction: string): Promise<DemoResult> {
  const call = {
    operation: 'POST /localnet/demo-wallet/send',
    parameters: { body: { wallet, transaction } },
  } as unknown as ApiRequest<'POST /ktx/decode'>;
  const result = await request(call);
  if (!result.ok) return { kind: 'failed', reason: result.error.message };
  const sent = result.data as unknown as { readonly signature: string; readonly slot: string };
  return { kind: 'sent', ...sent };
}
