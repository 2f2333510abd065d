import { useState } from 'preact/hooks';
import { Field } from '../../components/field.tsx';
import {
  connectBrowserWallet,
  connectDemoWallet,
  connectedWallet,
} from '../../wallets/connected-wallet.ts';
import { type StandardWallet, walletsFor } from '../../wallets/wallet-standard.ts';
import type { FormProps } from './form-props.ts';

/** The address that signs: typed, the demo wallet’s, or that of a wallet in this browser. */
export function WalletField({ fields, choices, problems, onChange }: FormProps) {
  const { demo, chain } = choices;
  const [failure, setFailure] = useState<string>();
  const choose = (wallet: string): void => {
    setFailure(undefined);
    onChange({ wallet });
  };
  return (
    <Field
      label="Wallet"
      problem={problems.wallet ?? failure}
      help={
        fields.wallet !== '' && fields.wallet === demo?.wallet
          ? 'The demo wallet of the embedded cluster'
          : 'The address that signs and pays the fee'
      }
      actions={
        <WalletButtons
          demo={demo?.wallet}
          chain={chain}
          onAddress={choose}
          onFailure={setFailure}
        />
      }
    >
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          class="bytes"
          spellcheck={false}
          autocomplete="off"
          data-field="wallet"
          value={fields.wallet}
          onInput={({ currentTarget }) => choose(currentTarget.value.trim())}
        />
      )}
    </Field>
  );
}

type WalletButtonsProps = {
  /** Address of the demo wallet. */
  readonly demo: string | undefined;
  readonly chain: string | undefined;
  readonly onAddress: (address: string) => void;
  readonly onFailure: (reason: string) => void;
};

function WalletButtons({ demo, chain, onAddress, onFailure }: WalletButtonsProps) {
  const wallets = walletsFor(chain);
  const chooseDemo = (address: string): void => {
    connectDemoWallet(address);
    onAddress(address);
  };
  const connect = async (wallet: StandardWallet): Promise<void> => {
    if (chain === undefined) return;
    const reason = await connectBrowserWallet(wallet, chain);
    const address = connectedWallet.peek()?.address;
    if (reason !== undefined) onFailure(reason);
    else if (address !== undefined) onAddress(address);
  };
  return (
    <span class="button-row">
      {demo !== undefined && (
        <button type="button" class="link-button action-link" onClick={() => chooseDemo(demo)}>
          Demo wallet
        </button>
      )}
      {wallets.map((wallet) => (
        <button
          key={wallet.name}
          type="button"
          class="link-button action-link"
          onClick={() => void connect(wallet)}
        >
          {wallet.name}
        </button>
      ))}
    </span>
  );
}
