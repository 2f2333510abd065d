import type { AnswerFreshness } from '../api/freshness.ts';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export type AnswerData = { readonly [name: string]: JsonValue };

/** What a tool found out. Rendering adds the freshness and keeps it small. */
export type Answer = {
  /** In words, with units; the most important line first. */
  readonly lines: readonly string[];
  /** The figures. Lists in it may be cut. */
  readonly data: AnswerData;
  /** Values that are useless if they are cut, such as a transaction. */
  readonly exact?: Readonly<Record<string, string>>;
  /** What to do next, such as how to see more of a list. */
  readonly next?: readonly string[];
  /** Undefined if nothing was read. */
  readonly freshness: AnswerFreshness | undefined;
  /** What the figures lack. */
  readonly notes: readonly string[];
};
