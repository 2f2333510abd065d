import { render } from 'preact';
import { watchPage } from './api/poller.ts';
import { watchConnection } from './api/readiness.ts';
import { startClock } from './components/clock.ts';
import { watchTheme } from './components/current-theme.ts';
import { watchFocus, watchNavigation } from './frame/after-navigation.ts';
import { startExactCopy } from './frame/exact-copy.ts';
import { Frame } from './frame/frame.tsx';
import { Pulse } from './frame/pulse.tsx';
import { startFrame } from './frame/start-frame.ts';
import { WalletMenu } from './frame/wallet/wallet-menu.tsx';
import { CurrentPage } from './pages/current-page.tsx';
import { hrefOf, watchLocation } from './routing/location.ts';
import { watchConnectedWallet } from './wallets/connected-wallet.ts';
import { watchWallets } from './wallets/wallet-standard.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/chart-colors.css';

watchTheme();
startClock();
watchLocation();
watchNavigation();
watchFocus();
watchPage();
startFrame(new URL(hrefOf('/'), window.location.href).href);
startExactCopy();
watchWallets();
watchConnectedWallet();
void watchConnection();

const tools = document.getElementById('page-tools');
if (tools !== null) {
  render(
    <>
      <Pulse />
      <WalletMenu />
    </>,
    tools,
  );
}

const root = document.getElementById('app');
if (root !== null) {
  render(
    <Frame>
      <CurrentPage />
    </Frame>,
    root,
  );
}
