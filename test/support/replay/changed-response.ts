import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { COMPUTE_BUDGET_PROGRAM } from '#core/protocol/spl/programs.ts';

/** A copy of a response in which one value is another: the one at a position, counted from the root. */
export function changedResponse(response: unknown, position: number, value: unknown): unknown {
  let count = 0;
  JSON.stringify(response, (_, each) => {
    count++;
    return each;
  });
  let at = 0;
  const text = JSON.stringify(response, (_, each) => (at++ === position % count ? value : each));
  return text === undefined ? undefined : JSON.parse(text);
}

type Call = {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
};

type Response = {
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly instructions: readonly Call[];
    };
  };
  readonly meta: {
    readonly innerInstructions: readonly {
      readonly index: number;
      readonly instructions: readonly (Call & { readonly stackHeight: number })[];
    }[];
  };
};

/** A program that nobody models. */
const ANOTHER_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';

/**
 * The response if another program had called the lending program. It takes the place of the program for compute budgets,
 * which is not needed.
 */
export function calledByAnother(response: unknown, record?: null): unknown {
  const { transaction, meta, ...rest } = response as Response;
  const { accountKeys, instructions } = transaction.message;
  const lending = accountKeys.indexOf(KLEND_PROGRAM);
  const another = accountKeys.indexOf(COMPUTE_BUDGET_PROGRAM);
  const isLending = (index: number): boolean => instructions[index]?.programIdIndex === lending;
  const inner = instructions.flatMap((call, index) => {
    const calls = meta.innerInstructions.find((each) => each.index === index)?.instructions ?? [];
    if (!isLending(index)) return calls.length === 0 ? [] : { index, instructions: calls };
    const nested = calls.map((each) => ({ ...each, stackHeight: each.stackHeight + 1 }));
    return { index, instructions: [{ ...call, stackHeight: 2 }, ...nested] };
  });
  return {
    ...rest,
    transaction: {
      ...transaction,
      message: {
        ...transaction.message,
        accountKeys: accountKeys.map((key, i) => (i === another ? ANOTHER_PROGRAM : key)),
        instructions: instructions.map((call, i) =>
          isLending(i)
            ? { ...call, programIdIndex: another, accounts: [lending, ...call.accounts] }
            : call,
        ),
      },
    },
    meta: { ...meta, innerInstructions: record === null ? null : inner },
  };
}
