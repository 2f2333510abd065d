import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

const SHOWN_MS = 1_200;

type CopyButtonProps = {
  readonly text: string;
  /** What is copied, for the label. */
  readonly what: string;
};

export function CopyButton({ text, what }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = async (): Promise<void> => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setState(isCopied ? 'copied' : 'failed');
    setTimeout(() => setState('ready'), SHOWN_MS);
  };
  const label = state === 'ready' ? `Copy ${what}` : state === 'copied' ? 'Copied' : 'Not copied';
  return (
    <button
      type="button"
      class="icon-button"
      onClick={() => void copy()}
      aria-label={label}
      data-hint={label}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
    </button>
  );
}
