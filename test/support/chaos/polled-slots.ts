/** What an index process logs when another source takes over. `lastSlot`: the last that the source before announced. */
type SourceChange = {
  readonly msg: string;
  readonly from?: string;
  readonly to?: string;
  readonly lastSlot?: string;
};

type Period = { readonly after: bigint; until: bigint | undefined };

const POLLING = 'polling';

/** Slots that index processes announced while they polled: what they have of such a slot may be newer than the slot. */
export class PolledSlots {
  readonly #periods = new Map<string, Period[]>();

  /** Takes a line of a process's log. */
  noteLine(process: string, line: string): void {
    const change = parseChange(line);
    if (change === undefined) return;
    const slot = change.lastSlot === undefined ? undefined : BigInt(change.lastSlot);
    const periods = this.#periods.get(process) ?? [];
    this.#periods.set(process, periods);
    if (change.to === POLLING) periods.push({ after: slot ?? 0n, until: undefined });
    const current = periods.at(-1);
    if (change.from === POLLING && current !== undefined) current.until ??= slot ?? current.after;
  }

  has(slot: bigint): boolean {
    return [...this.#periods.values()]
      .flat()
      .some(({ after, until }) => slot > after && (until === undefined || slot <= until));
  }
}

function parseChange(line: string): SourceChange | undefined {
  if (!line.includes('updates come from')) return undefined;
  return JSON.parse(line) as SourceChange;
}
