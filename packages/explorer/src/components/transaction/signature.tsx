import { shortenAddress } from '../../format/address.ts';
import { PageLink } from '../../routing/link.tsx';
import { CopyButton } from '../copy-button.tsx';

/** The signature of a transaction, with a link to what the transaction does. */
export const Signature = ({ signature }: { readonly signature: string }) => (
  <span class="address-frame">
    <PageLink page="decode" query={{ signature }}>
      <span class="address" data-exact={signature} data-hint={signature}>
        {shortenAddress(signature)}
      </span>
    </PageLink>
    <CopyButton text={signature} what="signature" />
  </span>
);
