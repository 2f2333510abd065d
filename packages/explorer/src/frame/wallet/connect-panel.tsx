import { useState } from 'preact/hooks';
import { Field } from '../../components/field.tsx';
import { Message } from '../../components/panel.tsx';
import { isAddress } from '../../format/address.ts';
import {
  connectBrowserWallet,
  connectDemoWallet,
  watchAddress,
} from '../../wallets/connected-wallet.ts';
import { type StandardWallet, walletsFor } from '../../wallets/wallet-standard.ts';

type ConnectPanelProps = {
  /** Address of the demo wallet, where there is one. */
  readonly demo: string | undefined;
  /** The wallets’ name of the cluster; undefined if they have none. */
  readonly chain: string | undefined;
  /** Whether the server has said what cluster it serves. */
  readonly isKnown: boolean;
  readonly onDone: () => void;
};

/** The wallets that fit to the cluster, and any address without one. */
export function ConnectPanel({ demo, chain, isKnown, onDone }: ConnectPanelProps) {
  const wallets = walletsFor(chain);
  const { busyWith, failure, connect } = useConnect(chain, onDone);
  const chooseDemo = (address: string): void => {
    onDone();
    connectDemoWallet(address);
  };
  return (
    <>
      <p class="wallet-panel-title">Connect a wallet</p>
      <div class="wallet-choices">
        {wallets.map((wallet) => (
          <button
            key={wallet.name}
            type="button"
            class="button"
            disabled={busyWith !== undefined}
            onClick={() => void connect(wallet)}
          >
            {wallet.name}
            {busyWith === wallet.name && <span class="weak"> asks…</span>}
          </button>
        ))}
        {demo !== undefined && (
          <button type="button" class="button" onClick={() => chooseDemo(demo)}>
            Demo wallet
          </button>
        )}
      </div>
      {isKnown && wallets.length === 0 && <p class="weak small">{noWallet(chain)}</p>}
      {failure !== undefined && (
        <Message tone="danger" isLive>
          <p>{failure}</p>
        </Message>
      )}
      <WatchForm onDone={onDone} />
    </>
  );
}

const noWallet = (chain: string | undefined): string =>
  chain === undefined
    ? 'Wallets have no name for this cluster, so none can sign for it here.'
    : `No wallet of this browser signs for ${chain}.`;

function useConnect(chain: string | undefined, onDone: () => void) {
  const [busyWith, setBusyWith] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const connect = async (wallet: StandardWallet): Promise<void> => {
    if (chain === undefined) return;
    setBusyWith(wallet.name);
    setFailure(undefined);
    const reason = await connectBrowserWallet(wallet, chain);
    setBusyWith(undefined);
    setFailure(reason);
    if (reason === undefined) onDone();
  };
  return { busyWith, failure, connect };
}

/** Positions and balances of an address, without a wallet that signs. */
function WatchForm({ onDone }: Pick<ConnectPanelProps, 'onDone'>) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isAddress(text)) {
      setProblem('An address has 32 to 44 characters of base58.');
      return;
    }
    onDone();
    watchAddress(text);
  };
  return (
    <form class="panel-form" onSubmit={submit} noValidate>
      <Field
        label="Watch an address"
        problem={problem}
        help="Its positions; signing happens elsewhere"
      >
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            class="bytes"
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value.trim());
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      <div class="button-row">
        <button type="submit" class="button">
          Watch
        </button>
      </div>
    </form>
  );
}
