import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  agreeingResponses,
  agreementNotes,
  type Freshness,
  oldestOf,
} from '../../api/freshness.ts';
import { now } from '../clock.ts';
import { useUniqueId } from '../unique-id.ts';

/** The oldest response of each block of the page. */
const blocks = signal<ReadonlyMap<string, Freshness>>(new Map());

function change(key: string, response: Freshness | undefined): void {
  const next = new Map(blocks.peek());
  if (response === undefined) next.delete(key);
  else next.set(key, response);
  blocks.value = next;
}

/** Counts a block for what the page says once. Returns its oldest response if the block differs from the others. */
export function useDifference(responses: readonly Freshness[]): Freshness | undefined {
  const key = useUniqueId();
  const own = oldestOf(responses);
  useEffect(() => {
    if (own !== undefined) change(key, own);
    // a new response has another slot or time of arrival
  }, [key, own?.slot, own?.receivedAt]);
  useEffect(() => () => change(key, undefined), [key]);
  if (own === undefined) return undefined;
  const others = [...blocks.value].flatMap(([other, each]) => (other === key ? [] : each));
  return agreeingResponses([...others, own]).includes(own) ? undefined : own;
}

/** The slot that all blocks of the page are true for that say no other. */
export function PageFreshness() {
  const notes = agreementNotes([...blocks.value.values()], { now: now.value });
  return (
    <p class="page-freshness">
      {notes.map(({ kind, text }) => (
        <span key={kind} class={`note ${kind}`}>
          {text}
        </span>
      ))}
    </p>
  );
}
