import { render } from 'preact';
import { watchPage } from './api/poller.ts';
import { watchConnection } from './api/readiness.ts';
import { startClock } from './components/clock.ts';
import { startTheme } from './components/theme.ts';
import { startExactCopy } from './frame/exact-copy.ts';
import { Frame } from './frame/frame.tsx';
import { startTooltip } from './frame/tooltip.ts';
import { CurrentPage } from './pages/current-page.tsx';
import { watchLocation } from './routing/location.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/palette.css';

startTheme();
startClock();
watchLocation();
watchPage();
startTooltip();
startExactCopy();
void watchConnection();

const root = document.getElementById('app');
if (root !== null) {
  render(
    <Frame>
      <CurrentPage />
    </Frame>,
    root,
  );
}
