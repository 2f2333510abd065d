import { Address } from '../../components/address.tsx';
import { Field } from '../../components/field.tsx';
import { shortenAddress } from '../../format/address.ts';
import { PageLink } from '../../routing/link.tsx';
import {
  canSign,
  chooseAccount,
  disconnect,
  walletAccounts,
} from '../../wallets/connected-wallet.ts';
import type { ConnectedWallet } from '../../wallets/remembered-wallet.ts';

type ConnectedPanelProps = {
  readonly wallet: ConnectedWallet;
  readonly onDone: () => void;
};

/** Which wallet is connected, and what can be done with it. */
export function ConnectedPanel({ wallet, onDone }: ConnectedPanelProps) {
  const leave = (): void => {
    onDone();
    disconnect();
  };
  return (
    <>
      <p class="wallet-panel-title">{wallet.name}</p>
      <p>
        <Address address={wallet.address} what="wallet address" />
      </p>
      <p class="weak small">{describe(wallet)}</p>
      <AccountChoice address={wallet.address} />
      <div class="wallet-choices">
        <PageLink page="wallet" parameters={{ wallet: wallet.address }} class="button">
          My positions
        </PageLink>
        <button type="button" class="button" onClick={leave}>
          Disconnect
        </button>
      </div>
    </>
  );
}

/** Nothing for a wallet of one account. */
function AccountChoice({ address }: { readonly address: string }) {
  const accounts = walletAccounts.value;
  if (accounts.length < 2) return null;
  return (
    <Field label="Account" help="Those that the wallet shares with this page">
      {(attributes) => (
        <select
          {...attributes}
          value={address}
          onChange={({ currentTarget }) => chooseAccount(currentTarget.value)}
        >
          {accounts.map((each) => (
            <option key={each} value={each}>
              {shortenAddress(each)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function describe({ kind, name }: ConnectedWallet): string {
  switch (kind) {
    case 'demo':
      return 'The server has its key: a test wallet of the embedded cluster.';
    case 'watched':
      return 'This page cannot sign for it: transactions are signed elsewhere.';
    case 'browser':
      return canSign.value
        ? 'It signs in this browser. Nothing is signed without its question.'
        : `${name} is not in this browser now; it is asked again when it is.`;
  }
}
