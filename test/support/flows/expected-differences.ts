import { readFileSync } from 'node:fs';
import type { AccountMeta, Instruction } from '#core/base/solana/instruction.ts';
import type { InstructionSet } from '#core/base/solana/instruction-set.ts';
import { farmsInstructions } from '#core/protocol/farms/instruction-set.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { klendInstructions } from '#core/protocol/klend/instruction-set.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { kvaultInstructions } from '#core/protocol/kvault/instruction-set.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { splInstructions } from '#core/protocol/spl/instruction-set.ts';

/** A row of the table: in these flows, our build replaces these client instructions with ours. */
export type ClientDifference = {
  readonly flows: readonly number[];
  readonly client: readonly string[];
  readonly ours: readonly string[];
};

const readme = new URL('../../parity/README.md', import.meta.url);

/** The table of `test/parity/README.md`. */
export function readDifferences(): ClientDifference[] {
  const rows = readFileSync(readme, 'utf8').split('\n');
  return rows
    .filter((row) => /^\| \d\d/.test(row))
    .map((row) => {
      const [, flows = '', client = '', ours = ''] = row.split('|');
      return { flows: numbersOf(flows), client: namesOf(client), ours: namesOf(ours) };
    });
}

/** `01–03, 07` is 1, 2, 3 and 7. */
function numbersOf(text: string): number[] {
  return text.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('–').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

const namesOf = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** An expected instruction: complete, or only the parts that the table specifies. */
type Expected = {
  readonly text: string;
  readonly instruction?: Instruction;
  /** The first accounts, with their roles. */
  readonly accounts?: readonly AccountMeta[];
};

/** The recorded instructions of a flow with its rows of the table applied. */
export function expectedInstructions(
  flow: number,
  recorded: readonly Instruction[],
  table: readonly ClientDifference[],
): Expected[] {
  const start = recorded.map(
    (instruction): Expected => ({ text: formatInstruction(instruction), instruction }),
  );
  return table.filter(({ flows }) => flows.includes(flow)).reduce(applyDifference, start);
}

function applyDifference(
  before: readonly Expected[],
  { client, ours }: ClientDifference,
): Expected[] {
  const index = before.findIndex((_, i) => client.every((text, j) => before[i + j]?.text === text));
  if (index === -1) throw new Error(`the flow does not contain ${client.join(' ')} of the table`);
  const run = before.slice(index, index + client.length);
  const replaced = ours.map((text): Expected => {
    if (text.startsWith('+')) return { text: text.slice(1), accounts: [] };
    const same = run.find((item) => item.text === text);
    if (same !== undefined) return same;
    const olderVersion = run.find((item) => nameOf(item.text) === nameOf(text).replace(/V2$/, ''));
    const source = run.find((item) => nameOf(item.text) === nameOf(text)) ?? olderVersion;
    return { text, accounts: source?.instruction?.accounts ?? [] };
  });
  return [...before.slice(0, index), ...replaced, ...before.slice(index + client.length)];
}

/** Built instructions, reduced to the expected parts. */
export const pickExpectedFields = (
  expected: readonly Expected[],
  built: readonly Instruction[],
): Expected[] =>
  built.map((instruction, i) => {
    const { accounts } = expected[i] ?? {};
    const text = formatInstruction(instruction);
    return accounts === undefined
      ? { text, instruction }
      : { text, accounts: instruction.accounts.slice(0, accounts.length) };
  });

const nameOf = (text: string): string => text.replace(/\(.*$/, '');

/** Name and arguments, in the notation of the table. */
export function formatInstruction({ programAddress, data, accounts }: Instruction): string {
  const codec = instructionSetOf(programAddress)?.codecOf(data);
  if (codec === undefined) throw new Error(`${programAddress} has an unknown instruction`);
  const addresses = accounts.map(({ address }) => address);
  const { args } = codec.decode(programAddress, { data, accounts: addresses });
  const values = Object.values(args).map(String);
  return values.length === 0 ? codec.name : `${codec.name}(${values.join(', ')})`;
}

const protocolInstructions: Readonly<Record<string, InstructionSet>> = {
  [KLEND_PROGRAM]: klendInstructions,
  [KVAULT_PROGRAM]: kvaultInstructions,
  [FARMS_PROGRAM]: farmsInstructions,
};

const instructionSetOf = (program: Instruction['programAddress']): InstructionSet | undefined =>
  splInstructions(program) ?? protocolInstructions[program];
