import { type Freshness, freshnessNotes } from '../api/freshness.ts';
import { now } from './clock.ts';

/** What the responses behind a block say about their data: slot, age, gaps, estimates, what is left out. */
export function FreshnessNotes({ responses }: { readonly responses: readonly Freshness[] }) {
  const notes = freshnessNotes(responses, { now: now.value });
  return (
    <footer class="notes">
      {notes.map(({ kind, text, details }) =>
        details.length === 0 ? (
          <span key={kind} class={`note ${kind}`}>
            {text}
          </span>
        ) : (
          <details key={kind} class={`note ${kind}`}>
            <summary>{text}</summary>
            <ul>
              {details.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        ),
      )}
    </footer>
  );
}
