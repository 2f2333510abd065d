import { shortenAddress } from '../../format/address.ts';
import { PageLink } from '../../routing/link.tsx';
import { CopyButton } from '../copy-button.tsx';

type SignatureProps = {
  readonly signature: string;
  /** With it, the page of a transaction that is in no block can say whether it expired. */
  readonly lastValidBlockHeight?: string | undefined;
};

/** The signature of a transaction, with a link to its page. */
export const Signature = ({ signature, lastValidBlockHeight }: SignatureProps) => (
  <span class="address-frame">
    <PageLink page="transaction" parameters={{ signature }} query={{ lastValidBlockHeight }}>
      <span class="address" data-exact={signature} data-hint={signature}>
        {shortenAddress(signature)}
      </span>
    </PageLink>
    <CopyButton text={signature} what="signature" />
  </span>
);
