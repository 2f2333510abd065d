import { toSlot } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';
import type { CounterexampleEntry, ProofSubject } from '../clusters/proof-report.ts';
import type { UnprovenReason } from '../clusters/unproven-kinds.ts';
import { OUTCOME } from './proof-results.ts';

/** What an instruction of the program writes, where only the outcome of a transaction differs. */
const kindsOfProgram: Readonly<Record<string, readonly AccountKind[]>> = {
  klend: ['reserve', 'obligation'],
  kvault: ['vault'],
  farms: ['farm', 'farmUser'],
};

const KINDS: readonly AccountKind[] = [
  ...(['market', 'reserve', 'obligation', 'vault', 'farm', 'farmsConfig'] as const),
  ...(['farmUser', 'withdrawTicket'] as const),
];

/** Kinds with counterexamples that nobody has explained, each with the oldest of them. */
export function unprovenReasons(entries: readonly CounterexampleEntry[]): UnprovenReason[] {
  const reasons = new Map<string, UnprovenReason>();
  const open = entries.filter(({ explanation }) => explanation === null);
  for (const entry of open.toSorted((a, b) => Number(BigInt(a.slot) - BigInt(b.slot)))) {
    const { slot, id } = entry;
    const kinds = entry.subjects.flatMap((subject) =>
      kindsOf(subject).map((kind) => ({ ...subject, kind })),
    );
    for (const { kind, program, instruction } of kinds) {
      const key = [kind, program, instruction].join(' ');
      const detail = `${program} ${instruction}, counterexample ${id}`;
      const reason = { kind, code: 'proofDiffers', detail, since: toSlot(BigInt(slot)) } as const;
      if (!reasons.has(key)) reasons.set(key, reason);
    }
  }
  return [...reasons.values()];
}

function kindsOf({ kind, program }: ProofSubject): readonly AccountKind[] {
  if (kind === OUTCOME) return kindsOfProgram[program] ?? [];
  return KINDS.filter((known) => known === kind);
}
