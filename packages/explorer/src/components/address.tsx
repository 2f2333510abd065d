import { shortenAddress } from '../format/address.ts';
import { PageLink } from '../routing/link.tsx';
import { CopyButton } from './copy-button.tsx';

type AddressProps = {
  readonly address: string;
  /** Shown instead of the address. */
  readonly name?: string | undefined;
  /** Page of the account, if this build has it: market, reserve, vault, wallet, loan. */
  readonly page?: string;
  /** What is copied, for the label. */
  readonly what?: string;
  readonly canCopy?: boolean;
};

/** `7u3H…5PfF` with the full address on hover, a copy button, and a link to the page of the account. */
export function Address({ address, name, page, what = 'address', canCopy = true }: AddressProps) {
  const text = (
    <span
      class={name === undefined ? 'address' : ''}
      data-exact={name === undefined ? address : undefined}
      data-hint={address}
    >
      {name ?? shortenAddress(address)}
    </span>
  );
  return (
    <span class="address-frame">
      {page === undefined ? (
        text
      ) : (
        <PageLink page={page} parameters={{ [page]: address }}>
          {text}
        </PageLink>
      )}
      {canCopy && <CopyButton text={address} what={what} />}
    </span>
  );
}
