import type { MultiplyRequest } from '@tidegate/client';

type Swap = MultiplyRequest['swap'];
type SwapInstruction = Swap['instructions'][number];
type Role = SwapInstruction['accounts'][number]['role'];

/** A swap, or what is wrong with the text and how to fix it. */
type ParsedSwap = { readonly swap: Swap } | { readonly problem: string };

const FORM =
  'Paste {"instructions": […], "lookupTables": […]}, or the answer of an aggregator that returns instructions.';

/**
 * A swap from JSON: in the form of the API, as an operation for instructions returns it, or as aggregators do, with
 * `programId` and `isSigner`. Compute budget instructions of an answer are left out: the builder sets the budget.
 */
export function parseSwap(text: string): ParsedSwap {
  if (text === '') return { problem: `A swap is needed. ${FORM}` };
  const json = parseJson(text);
  if (json === undefined) return { problem: `This is not JSON. ${FORM}` };
  const instructions = instructionsOf(json).map(toInstruction);
  const complete = instructions.filter((each) => each !== undefined);
  if (complete.length === 0) return { problem: `There are no instructions in it. ${FORM}` };
  if (complete.length < instructions.length) {
    const position = instructions.indexOf(undefined) + 1;
    return { problem: `Instruction ${position} needs a program, accounts and data.` };
  }
  return { swap: { instructions: complete, lookupTables: lookupTablesOf(json) } };
}

/** For a text without a problem. */
export function requireSwap(text: string): Swap {
  const parsed = parseSwap(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.swap;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Undefined for anything but an object or a list. */
function parseJson(text: string): Json | undefined {
  try {
    const json: unknown = JSON.parse(text);
    if (Array.isArray(json)) return { instructions: json };
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** In the order of execution. */
const instructionsOf = (json: Json): unknown[] => [
  ...listOf(json['instructions']),
  ...listOf(json['setupInstructions']),
  ...(isObject(json['swapInstruction']) ? [json['swapInstruction']] : []),
  ...(isObject(json['cleanupInstruction']) ? [json['cleanupInstruction']] : []),
];

function lookupTablesOf(json: Json): string[] {
  const named = [...listOf(json['lookupTables']), ...listOf(json['addressLookupTableAddresses'])];
  const tables = json['lutsByAddress'];
  return [
    ...named.filter((each) => typeof each === 'string'),
    ...(isObject(tables) ? Object.keys(tables) : []),
  ];
}

function toInstruction(json: unknown): SwapInstruction | undefined {
  if (!isObject(json) || !Array.isArray(json['accounts'])) return undefined;
  const programAddress = json['programAddress'] ?? json['programId'];
  const data = json['data'] ?? null;
  const accounts = json['accounts'].flatMap((each) => toAccount(each) ?? []);
  const isComplete = accounts.length === json['accounts'].length;
  if (typeof programAddress !== 'string' || !isComplete) return undefined;
  return typeof data === 'string' || data === null ? { programAddress, accounts, data } : undefined;
}

const ROLES: readonly Role[] = ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'];

function toAccount(json: unknown): SwapInstruction['accounts'][number] | undefined {
  if (!isObject(json)) return undefined;
  const address = json['address'] ?? json['pubkey'];
  const role = ROLES.find((each) => each === json['role']) ?? roleOf(json);
  return typeof address === 'string' && role !== undefined ? { address, role } : undefined;
}

function roleOf({ isSigner, isWritable }: Json): Role | undefined {
  if (typeof isSigner !== 'boolean' || typeof isWritable !== 'boolean') return undefined;
  return `${isWritable ? 'WRITABLE' : 'READONLY'}${isSigner ? '_SIGNER' : ''}`;
}
