import { useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { send } from '../../api/client.ts';
import { apiRequest, useResource } from '../../api/resource.ts';

type ExampleButtonProps = { readonly onTransaction: (base64: string) => void };

/** On the embedded cluster: builds a deposit of its demo wallet, for something to decode. */
export function ExampleButton({ onTransaction }: ExampleButtonProps) {
  const { data: status } = useResource(apiRequest('GET /status'), { pollMs: 0 });
  const [problem, setProblem] = useState<string>();
  const demo = status?.demo;
  if (demo === undefined) return null;
  const build = async (): Promise<void> => {
    const { wallet, market, deposit } = demo;
    const body = { wallet, market, ...deposit };
    try {
      const { data } = await send(apiRequest('POST /ktx/klend/deposit', { body }));
      if (data !== undefined) onTransaction(data.transaction);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <>
      <button type="button" class="button" onClick={() => void build()}>
        Use an example
      </button>
      {problem !== undefined && <span role="status">{problem}</span>}
    </>
  );
}
