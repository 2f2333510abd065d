import { useEffect, useRef, useState } from 'preact/hooks';
import { useListedMarkets, useVaults } from '../api/directory.ts';
import { apiRequest, useResource } from '../api/resource.ts';
import { Icon } from '../components/icon.tsx';
import { navigate } from '../routing/location.ts';
import { findResults, type SearchResult } from './search-results.ts';
import './search.css';

const LIST_ID = 'search-results';
const POLL_MS = 60_000;

/** Searches names, symbols, addresses and signatures. `/` focuses it. */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  useSlashKey(input);
  const open = (result: SearchResult): void => {
    navigate(result.path);
    setText('');
    setOpen(false);
    input.current?.blur();
  };
  return (
    <search class="search" onFocusOut={(event) => closeOutside(event, () => setOpen(false))}>
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        role="combobox"
        placeholder="Search"
        aria-label="Search markets, reserves, vaults, addresses and signatures"
        aria-expanded={isOpen && text !== ''}
        aria-controls={LIST_ID}
        aria-activedescendant={isOpen && text !== '' ? `${LIST_ID}-${active}` : undefined}
        value={text}
        onFocus={() => setOpen(true)}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <span class="search-key" aria-hidden="true">
        /
      </span>
      {isOpen && text !== '' && (
        <Results text={text} active={active} onMove={setActive} onOpen={open} input={input} />
      )}
    </search>
  );
}

type ResultsProps = {
  readonly text: string;
  readonly active: number;
  readonly onMove: (index: number) => void;
  readonly onOpen: (result: SearchResult) => void;
  readonly input: { readonly current: HTMLInputElement | null };
};

/** Loads the lists only when there is something to search. */
function Results({ text, active, onMove, onOpen, input }: ResultsProps) {
  const markets = useListedMarkets(POLL_MS);
  const vaults = useVaults();
  const { data: status } = useResource(apiRequest('GET /status'), { pollMs: 0 });
  const results = findResults(text, {
    markets: markets.data ?? [],
    vaults: vaults.data ?? [],
    demo: status?.demo,
  });
  useEffect(() => {
    const element = input.current;
    const onKey = (event: KeyboardEvent): void => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const chosen = results[active];
      if (event.key === 'Enter' && chosen !== undefined) onOpen(chosen);
      if (step === undefined || results.length === 0) return;
      event.preventDefault();
      onMove((active + step + results.length) % results.length);
    };
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  });
  return (
    <div id={LIST_ID} class="search-results" role="listbox" aria-label="Results" tabIndex={-1}>
      {results.map((result, index) => (
        <div
          key={result.path}
          id={`${LIST_ID}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onPointerEnter={() => onMove(index)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onOpen(result)}
          onKeyDown={() => undefined}
        >
          <span class="search-title">{result.title}</span>
          <span class="weak">{result.note}</span>
        </div>
      ))}
      {results.length === 0 && (
        <div
          role="option"
          id={`${LIST_ID}-0`}
          aria-selected="false"
          aria-disabled="true"
          tabIndex={-1}
          class="weak"
        >
          {markets.data === undefined
            ? 'Loading…'
            : `Nothing found for “${text}” in markets, reserves and vaults. The address of a wallet, loan or market, or a signature, can be pasted here.`}
        </div>
      )}
    </div>
  );
}

function closeOutside(event: FocusEvent, close: () => void): void {
  const { currentTarget, relatedTarget } = event;
  const isInside =
    currentTarget instanceof Node &&
    relatedTarget instanceof Node &&
    currentTarget.contains(relatedTarget);
  if (!isInside) close();
}

function useSlashKey(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      const isTyping = target instanceof Element && target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [input]);
}
