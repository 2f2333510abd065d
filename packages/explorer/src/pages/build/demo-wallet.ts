import { ApiError } from '../../api/api-error.ts';
import { type ApiRequest, send } from '../../api/client.ts';

type DemoResult =
  | { readonly kind: 'sent'; readonly signature: string; readonly slot: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Lets the server sign with a wallet of its embedded cluster. The key stays on the server. The operation is not in the
 * OpenAPI document, because only a server with the embedded cluster has it, so its types are here.
 */
export async function signWithDemoWallet(wallet: string, transaction: string): Promise<DemoResult> {
  const request = {
    operation: 'POST /localnet/demo-wallet/send',
    arguments: { body: { wallet, transaction } },
  } as unknown as ApiRequest<'POST /ktx/decode'>;
  try {
    const { data } = await send(request);
    const sent = data as unknown as { readonly signature: string; readonly slot: string };
    return { kind: 'sent', ...sent };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'failed', reason: error.message };
  }
}
