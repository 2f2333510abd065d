import type { Check } from '../check.ts';

/** What was known of the position when it was signed: nothing can tell that later. */
export type FiguresBefore = Pick<Check, 'preview' | 'holding'>;

export type SentRecord = {
  readonly before: FiguresBefore;
  readonly signed: string | undefined;
};

const keyOf = (signature: string): string => `tidegate-sent-${signature}`;

/** A browser that stores nothing shows the outcome without the figures after a reload. */
export function storeRecord(signature: string, record: SentRecord): void {
  try {
    sessionStorage.setItem(keyOf(signature), JSON.stringify(record));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

export function readRecord(signature: string): SentRecord | undefined {
  const text = readText(keyOf(signature));
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as SentRecord;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** A browser can refuse all storage. */
function readText(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return null;
  }
}
