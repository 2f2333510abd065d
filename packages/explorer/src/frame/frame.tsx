import type { ComponentChildren } from 'preact';
import { connection } from '../api/readiness.ts';
import { now } from '../components/clock.ts';
import { Icon } from '../components/icon.tsx';
import { formatDuration } from '../format/time.ts';
import { path } from '../routing/location.ts';
import { matchPath } from '../routing/match-path.ts';
import { announcement } from './after-navigation.ts';
import { StartScreen } from './start-screen.tsx';
import './frame.css';

/** The page inside of the frame. While the server starts, its progress is shown instead, except of the status. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const state = connection.value;
  return (
    <>
      {state.kind === 'lost' && <LostBanner reason={state.reason} since={state.since} />}
      {state.kind === 'starting' && matchPath(path.value)?.page !== 'status' ? (
        <StartScreen waitingFor={state.waitingFor} progress={state.progress} />
      ) : (
        <main id="main" tabIndex={-1}>
          <p class="visually-hidden" role="status">
            {announcement.value}
          </p>
          {children}
        </main>
      )}
    </>
  );
}

/** The data stays readable without a connection. */
const LostBanner = ({ reason, since }: { readonly reason: string; readonly since: number }) => (
  <p class="notice warning lost-banner" role="alert">
    <Icon name="warning" />
    <span>
      {reason} Shown is the last known state; trying again since{' '}
      {formatDuration(Math.max(0, now.value - since))}.
    </span>
  </p>
);
