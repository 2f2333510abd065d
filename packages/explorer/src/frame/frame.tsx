import type { ComponentChildren } from 'preact';
import { connection } from '../api/readiness.ts';
import { now } from '../components/clock.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { chooseTheme, THEMES, theme } from '../components/theme.ts';
import { formatDuration } from '../format/time.ts';
import { hrefOf, path } from '../routing/location.ts';
import { matchPath, pathOf } from '../routing/match-path.ts';
import { Pulse } from './pulse.tsx';
import { Search } from './search.tsx';
import { StartScreen } from './start-screen.tsx';
import './frame.css';

type NavigationEntry = { readonly page: string; readonly title: string; readonly icon: IconName };

/** Entries of pages that this build does not have are not shown. */
const entries: readonly NavigationEntry[] = [
  { page: 'overview', title: 'Overview', icon: 'overview' },
  { page: 'vaults', title: 'Vaults', icon: 'chart' },
  { page: 'build', title: 'Build', icon: 'build' },
  { page: 'decode', title: 'Decode', icon: 'decode' },
  { page: 'proof', title: 'Proof', icon: 'check' },
  { page: 'status', title: 'Status', icon: 'status' },
];

/** What surrounds every page. While the server starts, its progress is shown instead of the page, except for the status. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const state = connection.value;
  return (
    <div class="frame">
      <button type="button" class="button skip-link" onClick={focusMain}>
        Skip to content
      </button>
      <Navigation />
      <header class="topbar">
        <Search />
        <Pulse />
        <ThemeButton />
      </header>
      {state.kind === 'lost' && <LostBanner reason={state.reason} since={state.since} />}
      {state.kind === 'starting' && matchPath(path.value)?.page !== 'status' ? (
        <StartScreen waitingFor={state.waitingFor} progress={state.progress} />
      ) : (
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      )}
    </div>
  );
}

/** A button, not a link: the address of the page holds its state. */
function focusMain(): void {
  document.getElementById('main')?.focus();
}

function Navigation() {
  const current = matchPath(path.value)?.page;
  return (
    <nav class="navigation" aria-label="Pages">
      <a class="brand" href={hrefOf('/')} data-page="overview">
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
          <rect width="32" height="32" rx="7" fill="#0b5f68" />
          <path d="M8 7v18M16 7v8M24 7v18" stroke="#fff" />
          <path d="M4.5 20.5q2.875-3 5.75 0t5.75 0 5.75 0 5.75 0" stroke="#7fe0dc" />
        </svg>
        Tidegate
      </a>
      <ul>
        {entries.map(({ page, title, icon }) => {
          const target = pathOf(page);
          return (
            target !== undefined && (
              <li key={page}>
                <a
                  href={hrefOf(target)}
                  data-page={page}
                  aria-current={page === current ? 'page' : undefined}
                >
                  <Icon name={icon} /> {title}
                </a>
              </li>
            )
          );
        })}
        <li>
          <a href={hrefOf('/docs/')}>
            <Icon name="docs" /> API
          </a>
        </li>
      </ul>
    </nav>
  );
}

const themeIcons = { system: 'system', light: 'sun', dark: 'moon' } as const;

function ThemeButton() {
  const { chosen } = theme.value;
  const next = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length] ?? 'system';
  const label = `Colours: ${chosen}. Change to ${next}`;
  return (
    <button
      type="button"
      class="icon-button"
      onClick={() => chooseTheme(next)}
      aria-label={label}
      data-hint={label}
    >
      <Icon name={themeIcons[chosen]} />
    </button>
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
