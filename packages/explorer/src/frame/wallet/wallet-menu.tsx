import { useEffect, useRef, useState } from 'preact/hooks';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Icon } from '../../components/icon.tsx';
import { shortenAddress } from '../../format/address.ts';
import { PageLink } from '../../routing/link.tsx';
import { path } from '../../routing/location.ts';
import { connectedWallet, setWalletCluster, walletNews } from '../../wallets/connected-wallet.ts';
import type { ConnectedWallet } from '../../wallets/remembered-wallet.ts';
import { chainOf } from '../../wallets/wallet-standard.ts';
import { ConnectPanel } from './connect-panel.tsx';
import { ConnectedPanel } from './connected-panel.tsx';
import './wallet-menu.css';

const PANEL = 'wallet-panel';
/** A server that starts has no demo wallet yet. */
const STATUS_MS = 60_000;

/** Connects a wallet, shows which one is, and leads to its positions. */
export function WalletMenu() {
  const { data: status } = useResource(apiRequest('GET /status'), { pollMs: STATUS_MS });
  const chain = chainOf(status?.clusters[0]?.env);
  const demo = status?.demo?.wallet;
  useEffect(() => {
    if (status !== undefined) setWalletCluster({ chain, demo });
  }, [status === undefined, chain, demo]);
  const { button, panel, isOpen, close } = usePanel();
  const wallet = connectedWallet.value;
  return (
    <div class="wallet-menu">
      {wallet !== undefined && (
        <PageLink
          page="wallet"
          parameters={{ wallet: wallet.address }}
          class="quiet-button positions-link"
        >
          My positions
        </PageLink>
      )}
      <button
        ref={button}
        type="button"
        class={`button wallet-button${wallet === undefined ? '' : ' is-connected'}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        popovertarget={PANEL}
      >
        <Icon name="wallet" />
        <ButtonText wallet={wallet} />
      </button>
      <div
        ref={panel}
        id={PANEL}
        class="wallet-panel"
        role="dialog"
        aria-label={wallet === undefined ? 'Connect a wallet' : 'The connected wallet'}
        popover="auto"
      >
        {wallet === undefined ? (
          <ConnectPanel demo={demo} chain={chain} isKnown={status !== undefined} onDone={close} />
        ) : (
          <ConnectedPanel wallet={wallet} onDone={close} />
        )}
      </div>
      <span class="visually-hidden" role="status">
        {walletNews.value}
      </span>
    </div>
  );
}

const ButtonText = ({ wallet }: { readonly wallet: ConnectedWallet | undefined }) =>
  wallet === undefined ? (
    <span class="wallet-text">Connect</span>
  ) : (
    <>
      <span class="visually-hidden">{wallet.name} </span>
      <span class="wallet-text address">{shortenAddress(wallet.address)}</span>
    </>
  );

/** The panel closes by itself on Escape and on a click beside it, and on another page. */
function usePanel() {
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const currentPath = path.value;
  useEffect(() => {
    const element = panel.current;
    const onToggle = (event: Event): void => setIsOpen((event as ToggleEvent).newState === 'open');
    element?.addEventListener('toggle', onToggle);
    return () => element?.removeEventListener('toggle', onToggle);
  }, []);
  useEffect(() => panel.current?.hidePopover(), [currentPath]);
  const close = (): void => {
    panel.current?.hidePopover();
    // what had the focus is not there any more
    button.current?.focus();
  };
  return { button, panel, isOpen, close };
}
