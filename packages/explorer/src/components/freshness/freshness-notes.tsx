import { ageNotes, type Freshness, freshnessNotes } from '../../api/freshness.ts';
import { now } from '../clock.ts';
import { useDifference } from './page-freshness.tsx';

type NotesProps = { readonly responses: readonly Freshness[] };

/** What the responses behind a block say about their data: gaps, estimates, what is left out. */
export function FreshnessNotes({ responses }: NotesProps) {
  const notes = freshnessNotes(responses, { now: now.value });
  if (notes.length === 0) return null;
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

/** The slot and age of a block whose data is older than that of the page. In its header, where it moves nothing. */
export function AgeNotes({ responses }: NotesProps) {
  const oldest = useDifference(responses);
  if (oldest === undefined) return null;
  return (
    <p class="block-age">
      {ageNotes(oldest, { now: now.value }).map(({ kind, text }) => (
        <span key={kind} class={`note ${kind}`}>
          {text}
        </span>
      ))}
    </p>
  );
}
