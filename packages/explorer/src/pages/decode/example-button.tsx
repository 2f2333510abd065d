import { useState } from 'preact/hooks';
import { apiRequest, useResource } from '../../api/resource.ts';
import { server } from '../../api/server.ts';

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
    const built = await server.post('/ktx/klend/deposit', { body });
    if (built.ok) onTransaction(built.data.transaction);
    else setProblem(built.error.message);
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
