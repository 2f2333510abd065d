import { apiRequest, useResource } from '../../api/resource.ts';
import { PageLink } from '../../routing/link.tsx';
import './demo-links.css';

/**
 * On the embedded cluster: pages that have something to see. In a header that has its height already, so that nothing moves
 * when the answer arrives.
 */
export function DemoLinks() {
  const { data: status } = useResource(apiRequest('GET /status'), { pollMs: 0 });
  const demo = status?.demo;
  if (demo === undefined) return null;
  return (
    <nav class="demo-links" aria-label="Try it">
      <span class="weak">Try it:</span>
      <PageLink page="wallet" parameters={{ wallet: demo.wallet }}>
        demo wallet
      </PageLink>
      <PageLink page="loan" parameters={{ loan: demo.obligation }}>
        loan
      </PageLink>
      <PageLink page="vault" parameters={{ vault: demo.vault }}>
        vault
      </PageLink>
    </nav>
  );
}
